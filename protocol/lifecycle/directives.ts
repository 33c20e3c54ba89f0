import { isJsonObject } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { isBlockId } from './declaration.ts';
import { allows } from './defaultPolicy.ts';
import type { LifecycleLog } from './lifecycleLog.ts';
import type { Policy, SourceClass } from './policy.ts';
import type { Directive } from './unit.ts';

/** What one directive or definition came to. */
export interface DirectiveOutcome {
  readonly blockId: string;
  readonly outcome: 'activated' | 'conflict' | 'discarded' | 'repeated' | 'unknown' | 'denied';
}

/** What made the adapter look (V1: every attempt records its trigger). */
export type Trigger = 'load' | 'message' | 'control' | 'watcher';

/** Who asks for a discard, and how. */
export interface Asker {
  readonly source: string;
  readonly class: SourceClass;
  readonly trigger: Trigger;
  /** Of the watcher that asks. */
  readonly connection?: string | undefined;
}

/** DESIGN, The log: the directives of one unit beyond these are counted, not processed. */
const MOST_DIRECTIVES = 100;

/** What a person or a program asks for may be any text; longer ones are no IDs and are cut. */
const LONGEST_UNKNOWN_ID = 200;

type DiscardType = 'block/discarded' | 'discard/repeated' | 'discard/unknown' | 'discard/denied';
/** What a discard can come to. */
export type DiscardOutcome = 'discarded' | 'repeated' | 'unknown' | 'denied';

const OUTCOMES: Readonly<Record<DiscardType, DiscardOutcome>> = {
  'block/discarded': 'discarded',
  'discard/repeated': 'repeated',
  'discard/unknown': 'unknown',
  'discard/denied': 'denied',
};

/** Executes discards, each directive of a unit once in a session's life. */
export class Directives {
  readonly #policy: Policy;
  readonly #log: LifecycleLog;
  readonly #processed = new Set<string>();
  readonly #overflowed = new Set<string>();

  constructor(policy: Policy, log: LifecycleLog) {
    this.#policy = policy;
    this.#log = log;
  }

  /** Takes over what an event of an earlier instance says was processed. */
  remember({ type, data }: LogEvent): void {
    const { unit, line, blockId } = isJsonObject(data) ? data : {};
    if (typeof unit !== 'string') {
      return;
    }
    if (type === 'discard/overflow') {
      this.#overflowed.add(unit);
    } else if (Object.hasOwn(OUTCOMES, type) && typeof blockId === 'string' && typeof line === 'number') {
      this.#processed.add(factOf(unit, { blockId, line }));
    }
  }

  /** One discard, as the policy says, audited. */
  execute(blockId: string, asker: Asker, place?: { readonly unit?: string; readonly line: number }): DiscardOutcome {
    const { allowed, rule } = allows(this.#policy, asker.class, asker.source, 'discard', asker.trigger === 'load');
    const block = this.#log.state().blocks.get(blockId);
    const type = allowed ? discardOf(block?.status) : 'discard/denied';
    const data = {
      blockId: isBlockId(blockId) ? blockId : blockId.slice(0, LONGEST_UNKNOWN_ID),
      source: asker.source,
      ...(place && { line: place.line }),
      trigger: asker.trigger,
      class: asker.class,
      rule,
      requestSequence: this.#log.requestSequence(),
      ...(place?.unit !== undefined && { unit: place.unit }),
      ...(asker.connection !== undefined && { connection: asker.connection }),
    };
    this.#log.append({ type, data });
    return OUTCOMES[type];
  }

  /** The directives of one text; with a `unit`, only those that were not processed before. */
  executeAll(directives: readonly Directive[], asker: Asker, unit?: string): readonly DirectiveOutcome[] {
    const outcomes: DirectiveOutcome[] = [];
    for (const directive of directives.slice(0, MOST_DIRECTIVES)) {
      const { blockId, line } = directive;
      const fact = unit === undefined ? undefined : factOf(unit, directive);
      if (fact === undefined || !this.#processed.has(fact)) {
        const outcome = this.execute(blockId, asker, { line, ...(unit !== undefined && { unit }) });
        outcomes.push({ blockId, outcome });
        if (fact !== undefined) {
          this.#processed.add(fact);
        }
      }
    }
    this.#countRest(directives.length - MOST_DIRECTIVES, asker, unit);
    return outcomes;
  }

  #countRest(rest: number, { source, class: sourceClass }: Asker, unit: string | undefined): void {
    if (rest <= 0 || (unit !== undefined && this.#overflowed.has(unit))) {
      return;
    }
    const requestSequence = this.#log.requestSequence();
    const data = { source, class: sourceClass, ...(unit !== undefined && { unit }), rest, requestSequence };
    this.#log.append({ type: 'discard/overflow', data });
    if (unit !== undefined) {
      this.#overflowed.add(unit);
    }
  }
}

function discardOf(status: 'active' | 'discarded' | undefined): DiscardType {
  if (status === undefined) {
    return 'discard/unknown';
  }
  return status === 'active' ? 'block/discarded' : 'discard/repeated';
}

function factOf(unit: string, { blockId, line }: Directive): string {
  return `${unit}\n${line}\n${blockId}`;
}
