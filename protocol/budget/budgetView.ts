import type { MessageFormat } from '../lifecycle/messageFormat.ts';
import type { ViewEntry } from '../lifecycle/view.ts';
import type { Amount } from '../log/amounts.ts';
import type { KnownOrder } from '../request/appended.ts';
import type { Sha256 } from '../request/hashing.ts';
import type { JsonObject } from '../request/json.ts';
import type { Superseded } from './budgetContents.ts';
import type { BudgetData, CheckResult, Edit } from './budgetEvents.ts';
import type { Resumed } from './handoff/resumeHandoff.ts';
import type { KnownLimits } from './limits.ts';
import type { PlanningMemo } from './memo/planningMemo.ts';
import type { ModelSummaries } from './summary/summarizer.ts';
import type { Tier1 } from './tier1.ts';

/** What the layer is shown of the request that is being built: L1's view, and what everything else takes. */
export interface BudgetView {
  readonly requestSequence: number;
  /** L1's view with its appended messages; none of it is ever changed. */
  readonly entries: readonly ViewEntry[];
  /** All edits of the log so far, with their content (`BudgetContents.edits`). */
  readonly edits: readonly Edit[];
  readonly format: MessageFormat;
  /** Tokens of one message, at once, and the same each time within a request. */
  readonly tokensOf: (message: JsonObject) => Amount;
  /** The same, in a form that holds for all requests of a session; absent where nobody can say which numbers stay. */
  readonly counts?: MessageCounts;
  /** What counts them: its name stands in every edit. */
  readonly counter: string;
  readonly sha256: Sha256;
  /** System prompt, tools, and what the host puts before the history. */
  readonly host: { readonly system: Amount; readonly tools: Amount; readonly prefix: Amount };
  /** The message of the first tier in the prefix. */
  readonly tier1: Amount;
  /** The active blocks, in definition order. */
  readonly blocks: readonly { readonly id: string; readonly amount: Amount }[];
  /** What the provider's number has beyond the parts; may be negative. */
  readonly unattributed?: { readonly tokens: number; readonly origin: Amount['origin'] };
  /** Units that a person or the adapter pinned: they are tier 1, and stay. */
  readonly pinned?: ReadonlySet<string>;
  /** When a unit came, in Unix milliseconds; absent where nobody knows. */
  readonly timeOf?: (unit: string) => number | undefined;
  /** What a unit belongs to (the block of a phase that was active), where the adapter knows. */
  readonly topicOf?: (unit: string) => string | undefined;
  /** What rules 3 and 5 look at; absent where they are off. */
  readonly anchoring?: Anchoring;
  /** What the session goes on from (`resumeHandoff`). */
  readonly resumed?: Resumed;
  /** What stood before units that are gone: `RequestHistory.order`. */
  readonly order?: KnownOrder;
  /**
   * What planning has learned of the requests of this session before; made once for it. With it, and with `counts`, planning
   * costs what is new; it comes to the same without.
   */
  readonly memo?: PlanningMemo;
}

/**
 * What was counted of messages. How a count is read may change with every answer of a provider, counts do not: so sums of them are
 * kept from one request to the next, and read anew.
 */
export interface MessageCounts {
  /** Tokens of one message as they were counted here; an origin that is not exact is kept when it is read. */
  of(message: JsonObject): Amount;
  /** That number is the same in every request to come. */
  isSettled(message: JsonObject): boolean;
  /** A count, or a sum of counts of one origin, as `tokensOf` would give it. */
  read(counted: Amount): Amount;
}

/** What a request is compared with, to see whether it still holds what was set. */
export interface Anchoring {
  /** `BudgetContents`: the first tier with its updates, what they took back, and which of them no message has told. */
  readonly tier1?: Tier1 | undefined;
  readonly superseded: readonly Superseded[];
  readonly untold: readonly BudgetData<'budget/tier1-updated'>[];
  /** The first tier's text as it stands in the prefix; absent where the prefix has none. */
  readonly prefixText?: string;
  /** What the discarded blocks said. */
  readonly discardedBlocks?: readonly { readonly id: string; readonly text: string }[];
  /** What a judge says of what cannot be decided here; without one that is `not-evaluated`. */
  readonly judged?: readonly CheckResult[];
  /** The adapter can stop its agent. */
  readonly canPause?: boolean;
}

/** What a person or a program sets for the layer. */
export interface BudgetConfig {
  readonly limits: KnownLimits;
  /** Blocks that are tier 1; all others are tier 2. */
  readonly tier1Blocks?: readonly string[];
  /** A pass that frees less is not made; 0 as the seed has it. */
  readonly minReclaim?: number;
  /** What becomes of a request above its limit; default `block`. */
  readonly overLimit?: 'block' | 'warn';
  /** By how much an estimated number may be too low, as a factor; default 1.25 (specs/tokens.md 4). */
  readonly headroom?: number;
  /** What counts as an interaction; default `request`. */
  readonly interactionUnit?: 'request' | 'turn';
  /** What a model has made of the groups that a compression would take (`compressionRequest`). */
  readonly summaries?: ModelSummaries;
}
