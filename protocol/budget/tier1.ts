import type { SourceClass } from '../lifecycle/policy.ts';
import type { Sha256 } from '../request/hashing.ts';
import { record } from '../shape.ts';
import { type BudgetData, type BudgetEvent, budgetEvents } from './budgetEvents.ts';

/** One line that must hold, by an ID that stays the same when it is updated. */
export interface Constraint {
  readonly id: string;
  readonly text: string;
}

/** seed 3, rule 1: what is always present. */
export interface Tier1 {
  /** What the session is about. */
  readonly objective?: string;
  readonly constraints: readonly Constraint[];
  readonly identity?: string;
  readonly outputFormat?: string;
}

/** Who asks for a change. */
export interface Tier1Asker {
  readonly source: string;
  readonly class: SourceClass;
  readonly requestSequence: number;
}

/** tiers 4, rule 5: only these may change the first tier; an editor's command is a person's act. */
const TRUSTED: ReadonlySet<SourceClass> = new Set<SourceClass>(['user', 'host-workflow', 'editor']);

/** IDs of the lines that are no constraints. */
const SINGLE = ['objective', 'identity', 'outputFormat'] as const;

type Single = (typeof SINGLE)[number];

function isSingle(id: string): id is Single {
  return (SINGLE as readonly string[]).includes(id);
}

const { objective, constraints, identity, outputFormat } = budgetEvents['budget/tier1-set'].members;
const shape = record({ objective, constraints, identity, outputFormat });

/**
 * Why this is no first tier that somebody may set, as a part of a sentence: by its ID a constraint is known from others, and
 * from the lines that are none. Absent where it is one.
 */
export function tier1Fault(value: unknown): string | undefined {
  const fault = shape.fault(value, 'first tier');
  if (fault !== undefined) {
    return fault;
  }
  const ids = (value as Tier1).constraints.map(({ id }) => id);
  const known = new Set<string>();
  for (const id of ids) {
    const reason =
      constraintIdFault(id) ?? (known.has(id) ? `two constraints have the id ${JSON.stringify(id)}` : undefined);
    if (reason !== undefined) {
      return reason;
    }
    known.add(id);
  }
  return undefined;
}

/** Why no constraint may have this ID, as a part of a sentence. */
export function constraintIdFault(id: string): string | undefined {
  return isSingle(id) ? `no constraint can have the id ${JSON.stringify(id)}` : undefined;
}

/**
 * The text of the first tier's message. Each value is one line of JSON, so that none can be a tag or begin a line of its own.
 */
export function tier1Text({ objective, constraints, identity, outputFormat }: Tier1): string {
  const single = (title: string, value: string | undefined) =>
    value === undefined ? [] : [`${title}: ${JSON.stringify(value)}`];
  return [
    'What always holds in this session:',
    ...single('Task', objective),
    ...constraints.map(({ id, text }) => `Constraint ${JSON.stringify(id)}: ${JSON.stringify(text)}`),
    ...single('Identity', identity),
    ...single('Output format', outputFormat),
  ].join('\n');
}

/** The event that sets the first tier, or the one that says that this source may not. An empty text says nothing, and is none. */
export function setTier1(
  tier1: Tier1,
  asker: Tier1Asker,
  sha256: Sha256,
  reason: BudgetData<'budget/tier1-set'>['reason'] = 'set',
): BudgetEvent {
  if (!TRUSTED.has(asker.class)) {
    return { type: 'budget/tier1-denied', data: { id: 'all', ...asker } };
  }
  const said = withoutEmpty(tier1);
  return {
    type: 'budget/tier1-set',
    data: {
      ...said,
      sha256: sha256(tier1Text(said)),
      ...asker,
      reason,
    },
  };
}

/**
 * The event that changes one line, with its old and its new value, or takes it out where `value` is absent or empty; the one that
 * says that this source may not; nothing where the line has that value already.
 */
export function updateTier1(
  tier1: Tier1,
  id: string,
  given: string | undefined,
  asker: Tier1Asker,
): BudgetEvent | undefined {
  if (!TRUSTED.has(asker.class)) {
    return { type: 'budget/tier1-denied', data: { id, ...asker } };
  }
  const value = given === '' ? undefined : given;
  const old = valueOf(tier1, id);
  return old === value
    ? undefined
    : {
        type: 'budget/tier1-updated',
        data: { id, ...(old !== undefined && { old }), ...(value !== undefined && { new: value }), ...asker },
      };
}

/** The message that tells the model of an update; the prefix still has the old value. */
export function updateText({ id, old, new: value }: BudgetData<'budget/tier1-updated'>): string {
  const name = isSingle(id) ? id : `constraint ${JSON.stringify(id)}`;
  if (value === undefined) {
    return `Superseded: the ${name} no longer holds. It was ${JSON.stringify(old ?? '')}.`;
  }
  return old === undefined
    ? `New: the ${name} is ${JSON.stringify(value)}.`
    : `Superseded: the ${name} is now ${JSON.stringify(value)}. It was ${JSON.stringify(old)}.`;
}

/** Several updates as one for each line, from what it was first to what it is now; none where that is the same. */
export function netUpdates(
  updates: readonly BudgetData<'budget/tier1-updated'>[],
): readonly BudgetData<'budget/tier1-updated'>[] {
  const net = new Map<string, BudgetData<'budget/tier1-updated'>>();
  for (const update of updates) {
    const { old: _, ...now } = update;
    const { old } = net.get(update.id) ?? update;
    net.set(update.id, { ...now, ...(old !== undefined && { old }) });
  }
  return [...net.values()].filter(({ old, new: now }) => old !== now);
}

/** The first tier with another value for one line; a new constraint stands last. */
export function updatedTier1(tier1: Tier1, id: string, value: string | undefined): Tier1 {
  if (isSingle(id)) {
    const { [id]: _, ...others } = tier1;
    return value === undefined ? others : { ...others, [id]: value };
  }
  const { constraints } = tier1;
  const isKnown = constraints.some(constraint => constraint.id === id);
  if (value === undefined) {
    return { ...tier1, constraints: constraints.filter(constraint => constraint.id !== id) };
  }
  return {
    ...tier1,
    constraints: isKnown
      ? constraints.map(constraint => (constraint.id === id ? { id, text: value } : constraint))
      : [...constraints, { id, text: value }],
  };
}

function withoutEmpty({ constraints: given, ...others }: Tier1): Tier1 {
  const said = { ...others, constraints: given.filter(({ text }) => text !== '') };
  const member = (id: Single) => (said[id] ? { [id]: said[id] } : {});
  return { ...member('objective'), constraints: said.constraints, ...member('identity'), ...member('outputFormat') };
}

function valueOf(tier1: Tier1, id: string): string | undefined {
  return isSingle(id) ? tier1[id] : tier1.constraints.find(constraint => constraint.id === id)?.text;
}

/** A log without content has empty texts in the place of the first tier's. */
export function isEmptied({ objective, constraints }: BudgetData<'budget/tier1-set'>): boolean {
  const texts = [...(objective === undefined ? [] : [objective]), ...constraints.map(({ text }) => text)];
  return texts.length > 0 && texts.every(text => text === '');
}
