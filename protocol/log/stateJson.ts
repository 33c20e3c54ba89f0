import { budgetFromJson, budgetShape, budgetToJson } from '../budget/budgetJson.ts';
import { EMPTY_BUDGET } from '../budget/reduceBudget.ts';
import { lifecycleEvents } from '../lifecycle/lifecycleEvents.ts';
import { type LifecycleState, sourceKey } from '../lifecycle/lifecycleState.ts';
import { SOURCE_CLASSES } from '../lifecycle/policy.ts';
import { OrderedMap } from '../orderedMap.ts';
import { CorruptLogError } from '../request/corruptLogError.ts';
import { count, flag, list, maybe, type Of, oneOf, ordinal, record, sha256, text, whole } from '../shape.ts';
import { Vector } from '../vector.ts';
import { AUDIT_TYPES } from './auditEntry.ts';
import { vocabulary } from './sessionEvents.ts';
import type { SessionState } from './sessionState.ts';

const place = { seq: count, time: whole } as const;

const block = record({
  id: text,
  status: oneOf('active', 'discarded'),
  activated: record({ ...lifecycleEvents['block/activated'].members, ...place }),
  discarded: maybe(record({ ...lifecycleEvents['block/discarded'].members, ...place })),
  conflicts: list(record({ ...lifecycleEvents['block/conflict'].members, ...place })),
});

const source = record({
  loaded: record({ ...lifecycleEvents['source/loaded'].members, ...place }),
  drifted: maybe(record({ ...lifecycleEvents['source/drifted'].members, ...place })),
});

const ephemeral = record({
  unit: text,
  source: text,
  class: oneOf(...SOURCE_CLASSES),
  bytes: count,
  admitted: maybe(record({ ...lifecycleEvents['ephemeral/admitted'].members, ...place })),
  consumed: maybe(record({ ...lifecycleEvents['ephemeral/consumed'].members, ...place })),
});

const request = record({
  sealed: record({ ...vocabulary['request/sealed'].members, ...place }),
  turn: ordinal,
  step: ordinal,
  body: maybe(record({ bytes: count, sha256, encoding: maybe(text) })),
  ended: maybe(record({ ...vocabulary['step/end'].members, ...place })),
  receipt: maybe(record({ ...vocabulary['request/receipt'].members, ...place })),
});

/** A `SessionState` as JSON: what a watcher gets who attaches. */
const stateShape = record({
  nextSeq: count,
  time: maybe(whole),
  clockWentBack: count,
  opened: maybe(record({ ...vocabulary['session/opened'].members, ...place })),
  instances: count,
  closed: flag,
  lifecycle: record({ blocks: list(block), sources: list(source), ephemerals: list(ephemeral) }),
  /** Absent in what a version without this layer sends. */
  budget: maybe(budgetShape),
  requests: list(request),
  turn: maybe(record({ turn: ordinal, seq: count })),
  step: maybe(record({ step: ordinal, seq: count, requestSequence: maybe(ordinal) })),
  lastTurn: count,
  lastStep: count,
  audit: list(
    record({
      ...place,
      type: oneOf(...AUDIT_TYPES),
      blockId: maybe(text),
      source: maybe(text),
      requestSequence: maybe(ordinal),
    }),
  ),
  problems: list(record({ ...vocabulary['session/problem'].members, ...place })),
  unknown: count,
});

export type StateJson = Of<typeof stateShape>;

/** The state as JSON. It shares everything but the lists with the state. */
export function stateToJson(state: SessionState): StateJson {
  const { time, opened, turn, step, lifecycle, budget, requests, audit, problems, ...rest } = state;
  return {
    ...rest,
    ...(time !== undefined && { time }),
    ...(opened && { opened }),
    ...(turn && { turn }),
    ...(step && { step }),
    lifecycle: {
      blocks: [...lifecycle.blocks.values()].map(entry => ({ ...entry, conflicts: entry.conflicts.toArray() })),
      sources: [...lifecycle.sources.values()],
      ephemerals: lifecycle.ephemerals.toArray(),
    },
    budget: budgetToJson(budget),
    requests: requests.toArray(),
    audit: audit.toArray(),
    problems: problems.toArray(),
  };
}

/** The state that `stateToJson` made JSON of; folding goes on from it. Throws `CorruptLogError` when it is none. */
export function stateFromJson(value: unknown): SessionState {
  const fault = stateShape.fault(value, 'value') ?? faultOfOrder(value as StateJson);
  if (fault) {
    throw new CorruptLogError(undefined, undefined, fault, ['This state of a session', 'Read the events instead.']);
  }
  const { lifecycle, budget, requests, audit, problems, ...rest } = value as StateJson;
  return {
    nextSeq: rest.nextSeq,
    time: rest.time,
    clockWentBack: rest.clockWentBack,
    opened: rest.opened,
    instances: rest.instances,
    closed: rest.closed,
    lifecycle: lifecycleFromJson(lifecycle),
    budget: budget ? budgetFromJson(budget) : EMPTY_BUDGET,
    requests: Vector.of(requests),
    turn: rest.turn,
    step: rest.step,
    lastTurn: rest.lastTurn,
    lastStep: rest.lastStep,
    audit: Vector.of(audit),
    problems: Vector.of(problems),
    unknown: rest.unknown,
  };
}

/** A fold finds a request at the place that its number says. */
function faultOfOrder({ requests }: StateJson): string | undefined {
  return requests.every(({ sealed }, index) => sealed.requestSequence === index + 1)
    ? undefined
    : 'its requests are not numbered one after the other from 1';
}

function lifecycleFromJson({ blocks, sources, ephemerals }: StateJson['lifecycle']): LifecycleState {
  return {
    blocks: OrderedMap.of(
      new Map(blocks.map(entry => [entry.id, { ...entry, conflicts: Vector.of(entry.conflicts) }])),
    ),
    sources: OrderedMap.of(new Map(sources.map(entry => [sourceKey(entry.loaded.class, entry.loaded.source), entry]))),
    ephemerals: Vector.of(ephemerals),
  };
}
