import { SOURCE_CLASSES } from '../../lifecycle/policy.ts';
import { isTooDeep } from '../../log/nesting.ts';
import { isJsonObject, type Json, type JsonObject } from '../../request/json.ts';
import {
  anything,
  count,
  list,
  maybe,
  type Of,
  object,
  oneOf,
  ordinal,
  record,
  sha256,
  text,
  whole,
} from '../../shape.ts';
import { budgetEvents } from '../budgetEvents.ts';
import { clipped } from '../summary/clipped.ts';
import { tier1Fault } from '../tier1.ts';

/** The version that is written; no other is read. */
export const HANDOFF_VERSION = 1;

const tier1 = budgetEvents['budget/tier1-set'].members;
const summary = budgetEvents['budget/edit'].members.summary.maybe;
const sessions = budgetEvents['budget/handoff'].members.sessions.maybe;

/** Who did something to a block, as the session's log has it. */
const facts = {
  source: text,
  class: oneOf(...SOURCE_CLASSES),
  rule: text,
  line: maybe(ordinal),
  unit: maybe(text),
} as const;

/** seed 3, rule 6: what a session hands on to another one. Nothing in it is trusted for tags. */
export const handoffFile = record({
  schema: oneOf('context-lifecycle/handoff'),
  version: count,
  /** The session that was saved. */
  session: text,
  /** The session that this one went on from. */
  parent: maybe(text),
  /** Unix milliseconds. */
  created: whole,
  /** The first tier as it holds now; absent where nobody set it. */
  tier1: maybe(
    record({
      /** What the session is about; absent where nobody said it. */
      objective: tier1.objective,
      /** Lines that must hold, each by an ID that stays the same. */
      constraints: tier1.constraints,
      identity: tier1.identity,
      outputFormat: tier1.outputFormat,
      /** Of its message's text. */
      sha256,
      /** What no longer holds, and what holds in its place. */
      overrides: list(record({ old: text, now: maybe(text) })),
    }),
  ),
  /** Summaries of the whole history, the oldest first. */
  history: list(summary),
  /** Empty where the host keeps none. */
  task_state: object<JsonObject>("the host's own state of its task"),
  /** Confirmations and the like. */
  pending_actions: list(anything<Json>('whatever the host waits for')),
  /** The first lines of the last ten results of tools that failed. */
  error_history: list(text),
  /** What became of context blocks and ephemeral content. */
  lifecycle: record({
    /** In the order in which they were defined. */
    blocks: list(
      record({
        blockId: text,
        status: oneOf('active', 'discarded'),
        activated: record({ ...facts, endLine: ordinal, bytes: count, sha256 }),
        /** Absent while it is active. */
        discarded: maybe(record(facts)),
      }),
    ),
    /** Ephemeral units that an answer has consumed. */
    consumed: list(
      record({
        unit: text,
        source: text,
        class: oneOf(...SOURCE_CLASSES),
        rule: text,
        bytes: count,
        tombstoneBytes: count,
      }),
    ),
    /** Directives that changed nothing, and are not looked at again. */
    controls: list(
      record({ type: oneOf('discard/repeated', 'discard/unknown', 'discard/denied'), blockId: text, ...facts }),
    ),
  }),
  /** Of this session and those that it goes on from, the oldest first. */
  sessions,
  /** Documents and loaded sources, without their content. */
  documents: list(record({ document: text, sha256: maybe(sha256) })),
  /** Units of tool results, which are not saved. */
  omitted_results: list(text),
  /** What else the session knew and the file does not hold, in sentences. */
  gaps: list(text),
});

export type HandoffFile = Of<typeof handoffFile>;

/** A text is no handoff file that this version can read. Nothing was taken over from it, and it stays as it is. */
export class HandoffError extends Error {
  override readonly name = 'HandoffError';

  constructor(reason: string, advice: string) {
    super(`The handoff file was not read: ${reason}. ${advice}`);
  }
}

/** In a sentence: they may be of any length. */
const LONGEST_VERSION = 40;
const LONGEST_NAME = 80;

/** A handoff file's text as data. Throws `HandoffError`. */
export function readHandoff(fileText: string): HandoffFile {
  let value: unknown;
  try {
    value = JSON.parse(fileText);
  } catch {
    throw new HandoffError('it is no JSON', 'Save the session again.');
  }
  if (isTooDeep(value)) {
    throw new HandoffError('it is nested too deep', 'Save the session again.');
  }
  if (!isJsonObject(value) || value['schema'] !== 'context-lifecycle/handoff') {
    throw new HandoffError('it is no handoff file of context-lifecycle', 'Name a file that `handoff save` wrote.');
  }
  const { version } = value;
  if (version !== HANDOFF_VERSION) {
    throw new HandoffError(
      `its version is ${clipped(JSON.stringify(version ?? null), LONGEST_VERSION)}, and this program reads ${HANDOFF_VERSION}`,
      'Use the version of context-lifecycle that wrote it.',
    );
  }
  const fault = handoffFile.fault(value, 'file') ?? disagreement(value);
  if (fault !== undefined) {
    throw new HandoffError(fault, 'Save the session again.');
  }
  return value as unknown as HandoffFile;
}

/** What no session has, although each part of it has its shape: no guess is taken over. */
function disagreement(value: object): string | undefined {
  const { tier1: first, lifecycle } = value as HandoffFile;
  const known = new Set<string>();
  for (const { blockId, status, discarded } of lifecycle.blocks) {
    const name = JSON.stringify(clipped(blockId, LONGEST_NAME));
    if (known.has(blockId)) {
      return `it has the block ${name} twice`;
    }
    if ((status === 'discarded') !== (discarded !== undefined)) {
      return `the block ${name} is both active and discarded`;
    }
    known.add(blockId);
  }
  return first && tier1Fault(first);
}
