import type { BudgetContents } from '../../protocol/budget/budgetContents.ts';
import type { BudgetEvent } from '../../protocol/budget/budgetEvents.ts';
import { setTier1, type Tier1, tier1Fault, tier1Text, updateTier1 } from '../../protocol/budget/tier1.ts';
import type { SourceClass } from '../../protocol/lifecycle/policy.ts';
import { frozenCopy } from '../../protocol/request/frozenCopy.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { sha256 } from '../hashing.ts';
import { UnloggableEventError } from '../requestErrors.ts';

/** Who changes the first tier. */
export interface Tier1Source {
  /** A file's path, or another name. */
  readonly source: string;
  readonly class: SourceClass;
}

export interface FirstTierOptions {
  /** Logs an event of the layer; the contents have seen it when it returns. */
  readonly log: (event: BudgetEvent) => void;
  readonly contents: BudgetContents;
  readonly requestSequence: () => number;
  /** Whether a request was sealed: its prefix stays as it is from then on. */
  readonly isBegun: () => boolean;
  readonly userMessage: (text: string) => JsonObject;
}

/** It stands in every request; config.json may have no more either. */
const MOST_CONSTRAINTS = 1_000;

/** IDs of the lines that are no constraints. */
const SINGLE = ['objective', 'identity', 'outputFormat'] as const;

/** seed 3, rules 1 and 5: what is always present, how it stands in the prefix, and how it changes without the prefix. */
export class FirstTier {
  readonly #options: FirstTierOptions;
  #message: { readonly baseline: Tier1; readonly message: JsonObject } | undefined;

  constructor(options: FirstTierOptions) {
    this.#options = options;
  }

  /** With all updates; without any line where nobody set it. */
  get effective(): Tier1 {
    return this.#options.contents.tier1 ?? { constraints: [] };
  }

  /** The text for the prefix; absent where nobody set it. One without a line is not shown. */
  get text(): string | undefined {
    const { baseline } = this.#options.contents;
    return baseline && tier1Text(baseline);
  }

  /** The prefix's message, the same frozen object while it stays; absent where it would have no line. */
  get message(): JsonObject | undefined {
    const { baseline } = this.#options.contents;
    if (!baseline || isEmpty(baseline)) {
      return undefined;
    }
    if (this.#message?.baseline !== baseline) {
      this.#message = { baseline, message: frozenCopy(this.#options.userMessage(tier1Text(baseline))) };
    }
    return this.#message.message;
  }

  /**
   * Sets the whole first tier: in the prefix before the first request, else as updates of the lines that differ (tiers C5). False
   * where this source may not. Throws `UnloggableEventError` for what is no first tier.
   */
  set(tier1: Tier1, asker: Tier1Source): boolean {
    requireSound(tier1);
    const event = setTier1(tier1, this.#asker(asker), sha256);
    if (event.type === 'budget/tier1-denied' || !this.#options.isBegun()) {
      return this.#log(event);
    }
    const wanted = linesOf(tier1);
    const gone = [...linesOf(this.effective).keys()].filter(id => !wanted.has(id)).map(id => [id, undefined] as const);
    [...wanted, ...gone].forEach(([id, value]) => this.update(id, value, asker));
    return true;
  }

  /** Changes one line: a constraint by its ID, or `objective`, `identity`, `outputFormat`; without a value it is taken out. */
  update(id: string, value: string | undefined, asker: Tier1Source): 'updated' | 'unchanged' | 'denied' {
    const event = updateTier1(this.effective, id, value, this.#asker(asker));
    if (!event) {
      return 'unchanged';
    }
    if (event.type === 'budget/tier1-updated' && !this.#options.contents.baseline) {
      // There is nothing in the prefix, and nothing comes into it: the update is told by a message.
      this.#log(setTier1({ constraints: [] }, this.#asker(asker), sha256));
    }
    return this.#log(event) ? 'updated' : 'denied';
  }

  deny(id: string, asker: Tier1Source): 'denied' {
    this.#log({ type: 'budget/tier1-denied', data: { id, ...this.#asker(asker) } });
    return 'denied';
  }

  /** Writes the updates into the prefix, which costs the provider's cache once (tiers C5). */
  rebase(asker: Tier1Source, reason: 'rebase' | 'emergency' | 'resume' = 'rebase'): 'rebased' | 'unchanged' | 'denied' {
    const { tier1, baseline } = this.#options.contents;
    if (!tier1 || tier1 === baseline) {
      return 'unchanged';
    }
    return this.#log(setTier1(tier1, this.#asker(asker), sha256, reason)) ? 'rebased' : 'denied';
  }

  /**
   * When an instance begins, whose prefix is composed anew: what the settings say, but where a person took back a value that
   * they still have; and in a session that goes on, its own updates. `takenBackBefore` are such values of the session before.
   */
  begin(settings: Tier1, asker: Tier1Source, takenBackBefore: readonly string[] = []): void {
    const { contents } = this.#options;
    requireSound(settings);
    if (!contents.baseline) {
      if (!isEmpty(settings)) {
        this.#log(setTier1(settings, this.#asker(asker), sha256, this.#options.isBegun() ? 'resume' : 'set'));
      }
      return;
    }
    const takenBack = new Set([
      // What the settings themselves replaced they may bring back.
      ...contents.superseded.flatMap(({ old, source }) => (source === asker.source ? [] : [old])),
      ...takenBackBefore,
    ]);
    for (const [id, value] of linesOf(settings)) {
      if (!takenBack.has(value)) {
        this.update(id, value, asker);
      }
    }
    this.rebase(asker, 'resume');
  }

  /** False for an event that says that somebody may not. */
  #log(event: BudgetEvent): boolean {
    this.#options.log(event);
    return event.type !== 'budget/tier1-denied';
  }

  #asker({ source, class: sourceClass }: Tier1Source) {
    return { source, class: sourceClass, requestSequence: this.#options.requestSequence() };
  }
}

function requireSound(tier1: Tier1): void {
  const fault =
    tier1Fault(tier1) ??
    (tier1.constraints.length > MOST_CONSTRAINTS ? `it has more than ${MOST_CONSTRAINTS} constraints` : undefined);
  if (fault !== undefined) {
    throw new UnloggableEventError('budget/tier1-set', fault, 'Mend what set it.');
  }
}

function linesOf(tier1: Tier1): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const id of SINGLE) {
    const value = tier1[id];
    if (value !== undefined) {
      lines.set(id, value);
    }
  }
  for (const { id, text } of tier1.constraints) {
    lines.set(id, text);
  }
  return lines;
}

function isEmpty(tier1: Tier1): boolean {
  return linesOf(tier1).size === 0;
}
