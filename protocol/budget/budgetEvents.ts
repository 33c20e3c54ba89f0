import { SOURCE_CLASSES } from '../lifecycle/policy.ts';
import { amount, price, signedAmount } from '../log/amounts.ts';
import type { JsonObject } from '../request/json.ts';
import { count, flag, list, maybe, type Of, object, oneOf, ordinal, orNull, record, sha256, text } from '../shape.ts';

const sourceClass = oneOf(...SOURCE_CLASSES);

/** The request that is being built, or the next one. */
const requestSequence = ordinal;

/** The only ways in which the layer changes a view (tiers 3). */
const EDIT_KINDS = ['summarize', 'remove', 'unload', 'archive', 'append'] as const;

/** Why an edit was made. */
const EDIT_CAUSES = [
  'over-trigger',
  'over-limit',
  'contradiction',
  'interactions',
  'constraint-update',
  'drift',
  'resume',
  'asked',
] as const;

/** What is out of the ordinary in a request, besides its status. */
const FLAGS = [
  'pressure',
  'near-limit',
  'tier1-over-max',
  'tier2-over-max',
  'tier4-over-max',
  'message-over-max',
  'over-limit',
] as const;

const CHECK_RESULTS = ['ok', 'contradiction', 'not-evaluated'] as const;

/** A number that somebody gave, and who. */
const sourced = record({ tokens: ordinal, source: text });

const limits = record({
  window: sourced,
  /** What the provider lets in; absent where it says none. */
  inputLimit: maybe(sourced),
  /** What the request keeps free for its answer; absent where it does not say. */
  outputReserve: maybe(sourced),
  /** What an error of the provider taught. */
  learned: maybe(sourced),
  /** Above it nothing is sent without a word. */
  hard: count,
  /** Which of the others the hard limit comes from. */
  binds: oneOf('window', 'output-reserve', 'input-limit', 'learned'),
});

/** seed 3, rule 2: its members are the seed's, and no others. */
const summaryRecord = record({
  topic: text,
  /** `<start> - <end>`, ISO 8601 in UTC. */
  period: text,
  decisions: list(text),
  outcomes: list(text),
  active_constraints: list(text),
  errors_encountered: list(text),
});

/** A sentence as it stands in a message, to the character. */
const quote = record({
  text,
  /** Identity of its unit. */
  unit: text,
  /** In the joined texts of the unit, in UTF-16 code units. */
  offset: count,
});

const summary = record({
  record: summaryRecord,
  quotes: list(quote),
  /** What a model quoted and no message holds. */
  unverified: list(text),
});

const edit = record({
  /** From 1, in the order of the log. */
  edit: ordinal,
  kind: oneOf(...EDIT_KINDS),
  /** Absent for one that stands outside of a pass. */
  pass: maybe(ordinal),
  cause: oneOf(...EDIT_CAUSES),
  /** Who made it: a summariser with its version, the layer itself, a person. */
  actor: text,
  /** Identities of all units that it takes out of the view; those of the edits that it replaces are among them. */
  units: list(text),
  /** Earlier edits that it stands in the place of. */
  replaces: list(ordinal),
  /** Of an unloaded document. */
  document: maybe(text),
  /** Of an appended message. */
  notice: maybe(oneOf('anchor', 'constraint-update', 'gap-notice')),
  /** How many there had been, for what is appended after so many interactions. */
  interactions: maybe(count),
  /** The unit that an appended message follows; "" is the start. */
  follows: maybe(text),
  /** How short a summary was made: its members, or one paragraph. */
  form: maybe(oneOf('structured', 'paragraph')),
  /** What stands for the units, or is appended; null where the log keeps no content. Absent where nothing does. */
  message: maybe(orNull(object<JsonObject>("a message in the agent's own form"))),
  /** What the message was made of. */
  summary: maybe(summary),
  /** Of the JSON text of the message. */
  sha256: maybe(sha256),
  /** Tokens of the whole request before this edit, and after it. */
  before: amount,
  after: amount,
  /** What counted them. */
  counter: text,
  requestSequence,
});

const constraint = record({ id: text, text });

/** What a session came to that another one goes on from. */
const sessionCounts = record({ session: text, requests: count, turns: count, compressions: count });

const lifecycleBlock = record({ blockId: text, status: oneOf('active', 'discarded') });

/** Events of seed 3's layer; a log without it has none. */
export const budgetEvents = {
  /** What a request takes, tier by tier; it stands before the seal. The rows and `unattributed` add up to `total`. */
  'budget/measured': record({
    requestSequence,
    tiers: record({ tier1: amount, tier2: amount, tier3: amount, tier4: amount }),
    /** What no tier holds: system prompt, tools, and what the host puts before the history. */
    host: amount,
    unattributed: signedAmount,
    total: amount,
    /** Of tier 3, what no summary stands for yet. */
    rawHistory: amount,
    limits,
    /** An edit that is no appended message shows in the view. */
    edited: flag,
    /** `blocked`: the request was not sent. `warned`: it was sent above the limit. */
    gate: oneOf('sent', 'warned', 'blocked'),
    flags: list(oneOf(...FLAGS)),
  }),
  /** Edits that are made together, with one break of the cache; they follow it. */
  'budget/pass': record({
    pass: ordinal,
    kind: oneOf('compression', 'emergency'),
    requestSequence,
    before: amount,
    after: amount,
    /** Tier 3 before and after. */
    historyBefore: amount,
    historyAfter: amount,
    /** Of tier 3 after it, what no summary stands for. */
    rawAfter: amount,
    /** How many edits follow; a pass without any changed nothing. */
    edits: count,
    /** `enough`: the target was met, or the limit. */
    outcome: oneOf('enough', 'target-missed', 'over-limit'),
    /** What the edits cost at the provider's cache; absent where there are none. */
    price: maybe(price),
  }),
  /** One change of the view. Views to come are made from these, and no summary is ever made again. */
  'budget/edit': edit,
  /** An edit that was not made; the view stays as it was. */
  'budget/edit-refused': record({
    kind: oneOf(...EDIT_KINDS),
    reason: oneOf('not-smaller', 'active-block', 'unconsumed', 'tier-1', 'first-message', 'unknown', 'no-objective'),
    cause: oneOf(...EDIT_CAUSES),
    actor: text,
    /** How many units it was about; absent for a document. */
    units: maybe(count),
    document: maybe(text),
    /** How many there had been, for an anchor that would restate nothing. */
    interactions: maybe(count),
    before: maybe(amount),
    after: maybe(amount),
    requestSequence,
  }),
  /** A summariser failed, or what it gave was no good: the extractive one was taken. */
  'budget/summary-failed': record({ actor: text, reason: text, requestSequence }),
  /** The limit cannot be kept by any edit: someone has to begin a new session, or to take something out. */
  'budget/reset-requested': record({
    requestSequence,
    total: amount,
    hard: count,
    /** The largest parts, the largest first. */
    largest: list(record({ part: text, amount })),
  }),
  /** A provider refused a request for its length. */
  'budget/limit-learned': record({
    tokens: ordinal,
    source: text,
    /** Whose limit it is, as the request named it; absent where that is not known. */
    model: maybe(text),
    requestSequence,
  }),

  /** The first tier as it stands in the prefix, whole. */
  'budget/tier1-set': record({
    /** Absent where nobody said it. */
    objective: maybe(text),
    constraints: list(constraint),
    identity: maybe(text),
    outputFormat: maybe(text),
    /** Of the message's text. */
    sha256,
    source: text,
    class: sourceClass,
    /** `rebase`: a person asked to write the updates into the prefix. */
    reason: oneOf('set', 'rebase', 'resume', 'emergency'),
    requestSequence,
  }),
  /** One line of the first tier changed; the prefix stays as it is, and a message tells the model. */
  'budget/tier1-updated': record({
    /** A constraint's ID, or `objective`, `identity`, `outputFormat`. */
    id: text,
    /** Absent where there was none. */
    old: maybe(text),
    /** Absent where there is none any more. */
    new: maybe(text),
    source: text,
    class: sourceClass,
    requestSequence,
  }),
  /** Only a user, an editor or the host's workflow may change the first tier. */
  'budget/tier1-denied': record({ id: text, source: text, class: sourceClass, requestSequence }),
  /** The first tier that a request holds is not what was set and updated. */
  'budget/drift': record({
    expected: sha256,
    /** Absent where it holds none. */
    found: maybe(sha256),
    response: oneOf('paused', 'report-only'),
    requestSequence,
  }),

  /** What was checked after so many interactions, or at a resume (seed 3, rule 3), and what of it could be decided. */
  'budget/checked': record({
    occasion: oneOf('interactions', 'resume'),
    interactions: count,
    results: list(record({ check: text, result: oneOf(...CHECK_RESULTS), detail: maybe(text) })),
    requestSequence,
  }),
  /** The original counts, and the line that contradicts it leaves its summary. */
  'budget/contradiction': record({ check: text, original: text, derived: text, edit: maybe(ordinal), requestSequence }),

  /** Units of the transcript hold a document that its source can give again. */
  'budget/document': record({
    document: text,
    units: list(text),
    sha256: maybe(sha256),
    /** Length of the host's transcript at that time. */
    messages: count,
    requestSequence,
  }),
  /** A document was used in a way that no message tells. */
  'budget/document-touched': record({ document: text, messages: count, requestSequence }),

  /** The state was saved for another session, or taken over from one. */
  'budget/handoff': record({
    action: oneOf('saved', 'resumed'),
    /** The other session; absent for a save. */
    from: maybe(text),
    /** Of the file's text. */
    sha256,
    blocks: list(lifecycleBlock),
    /** All sessions that it goes on from, the oldest first; absent for a save. */
    sessions: maybe(list(sessionCounts)),
    /** What is missing, in sentences. */
    gaps: list(text),
    requestSequence,
  }),
} as const;

export type BudgetEventType = keyof typeof budgetEvents;

export type BudgetData<Type extends BudgetEventType> = Of<(typeof budgetEvents)[Type]>;

/** An event of these before it has a place in a log. */
export type BudgetEvent = {
  [Type in BudgetEventType]: { readonly type: Type; readonly data: BudgetData<Type> };
}[BudgetEventType];

/** One change of the view, as the log has it. */
export type Edit = BudgetData<'budget/edit'>;

export type EditKind = Edit['kind'];

export type SummaryRecord = Of<typeof summaryRecord>;
export type Quote = Of<typeof quote>;
export type Summary = Of<typeof summary>;

export type Limits = Of<typeof limits>;
export type Sourced = Of<typeof sourced>;
export type Measured = BudgetData<'budget/measured'>;
export type Flag = Measured['flags'][number];
export type CheckResult = BudgetData<'budget/checked'>['results'][number];
