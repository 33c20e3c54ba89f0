import type { Tier1 } from '../../protocol/budget/tier1.ts';
import type { CompressionWhatIf } from '../../protocol/budget/whatIfCompressed.ts';
import type { RebaseOutcome, Tier1Outcome } from '../sessionTypes.ts';
import type { BudgetLayer } from './budgetLayer.ts';
import type { Tier1Source } from './firstTier.ts';

/** What a person, a program and a watcher ask of a session's budget layer, which may be off: what it logs is on disk when it returns. */
export class SessionBudget {
  readonly #layer: BudgetLayer | undefined;
  readonly #logged: <Result>(work: () => Result) => Result;

  /** `layer` is absent where it is off; `logged` brings to disk what was logged meanwhile. */
  constructor(layer: BudgetLayer | undefined, logged: <Result>(work: () => Result) => Result) {
    this.#layer = layer;
    this.#logged = logged;
  }

  /** The first tier with all updates; absent where the layer is off. */
  get tier1(): Tier1 | undefined {
    return this.#layer?.firstTier.effective;
  }

  setTier1(tier1: Tier1, asker: Tier1Source): boolean {
    return this.#logged(() => this.#layer?.firstTier.set(tier1, asker) ?? false);
  }

  updateTier1(id: string, value: string | undefined, asker: Tier1Source): Tier1Outcome {
    return this.#logged(() => this.#layer?.firstTier.update(id, value, asker) ?? 'off');
  }

  rebasePrefix(asker: Tier1Source): RebaseOutcome {
    return this.#logged(() => this.#layer?.firstTier.rebase(asker) ?? 'off');
  }

  /** For somebody whom the session's policy gives no say. */
  denyTier1(id: string, asker: Tier1Source): 'denied' | 'off' {
    return this.#logged(() => this.#layer?.firstTier.deny(id, asker) ?? 'off');
  }

  /** A document leaves the view with the next request; why it cannot is logged then. False where the layer is off. */
  unloadDocument(document: string, actor: string): boolean {
    this.#layer?.unload(document, actor);
    return this.#layer !== undefined;
  }

  /** Of the last request; absent before the first, where the layer is off, and where a compression would change nothing. */
  whatIfCompressed(): CompressionWhatIf | undefined {
    return this.#layer?.whatIfCompressed();
  }
}
