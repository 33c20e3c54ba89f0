import { isJsonObject } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import type { BudgetData, BudgetEvent, Edit } from './budgetEvents.ts';
import { isEmptied, type Tier1, updatedTier1 } from './tier1.ts';

/** A value of the first tier that does not hold any more, and what holds in its place. */
export interface Superseded {
  readonly old: string;
  readonly now?: string;
  /** Who replaced it; absent where that was in a session before. */
  readonly source?: string;
}

/**
 * What the layer's state does not hold, because no state depends on content: the messages of edits, and the first tier's
 * texts. It follows from the log alone.
 */
export class BudgetContents {
  readonly #edits: Edit[] = [];
  #baseline: Tier1 | undefined;
  #effective: Tier1 | undefined;
  #superseded: readonly Superseded[] = [];
  #untold: readonly BudgetData<'budget/tier1-updated'>[] = [];

  /** Takes over one event, in the order of the log. */
  remember({ type, data }: LogEvent): void {
    if (!type.startsWith('budget/') || !isJsonObject(data)) {
      return;
    }
    const event = { type, data } as unknown as BudgetEvent;
    if (event.type === 'budget/edit') {
      this.#edits.push(event.data);
      if (event.data.notice === 'constraint-update') {
        this.#untold = [];
      }
    } else if (event.type === 'budget/tier1-set' && !isEmptied(event.data)) {
      const { objective, constraints, identity, outputFormat } = event.data;
      this.#baseline = {
        ...(objective !== undefined && { objective }),
        constraints,
        ...(identity !== undefined && { identity }),
        ...(outputFormat !== undefined && { outputFormat }),
      };
      this.#effective = this.#baseline;
      this.#untold = [];
    } else if (event.type === 'budget/tier1-updated' && this.#effective) {
      const { id, old, new: now, source } = event.data;
      this.#effective = updatedTier1(this.#effective, id, now);
      this.#untold = [...this.#untold, event.data];
      if (old !== undefined && old !== '') {
        this.#superseded = [...this.#superseded, { old, ...(now !== undefined && { now }), source }];
      }
    }
  }

  /**
   * Edits with their content. Where the log keeps none, those that an earlier instance made cannot be made again: they are not
   * among them, and what they stood for is shown as it is.
   */
  get edits(): readonly Edit[] {
    return this.#edits.filter(({ message }) => message !== null);
  }

  /** The first tier as the prefix has it; absent where nobody set it, or the log keeps no content. */
  get baseline(): Tier1 | undefined {
    return this.#baseline;
  }

  /** With all updates since. */
  get tier1(): Tier1 | undefined {
    return this.#effective;
  }

  /** Values of the first tier that an update took back, and that are not in force again. */
  get superseded(): readonly Superseded[] {
    const { objective, identity, outputFormat, constraints = [] } = this.#effective ?? {};
    const live = new Set([objective, identity, outputFormat, ...constraints.map(({ text }) => text)]);
    return this.#superseded.filter(({ old }) => !live.has(old));
  }

  /** Updates that no message has told the model yet. */
  get untold(): readonly BudgetData<'budget/tier1-updated'>[] {
    return this.#untold;
  }
}
