import type { Tier1 } from '../../protocol/budget/tier1.ts';
import type { RebaseOutcome, Tier1Outcome } from '../sessionTypes.ts';
import type { FirstTier, Tier1Source } from './firstTier.ts';

/** The first tier of a session, which may have no budget layer: every change is on disk when it returns. */
export class SessionTier1 {
  readonly #tier: FirstTier | undefined;
  readonly #logged: <Result>(work: () => Result) => Result;

  /** `tier` is absent where the layer is off; `logged` brings to disk what was logged meanwhile. */
  constructor(tier: FirstTier | undefined, logged: <Result>(work: () => Result) => Result) {
    this.#tier = tier;
    this.#logged = logged;
  }

  /** With all updates; absent where the layer is off. */
  get effective(): Tier1 | undefined {
    return this.#tier?.effective;
  }

  set(tier1: Tier1, asker: Tier1Source): boolean {
    return this.#logged(() => this.#tier?.set(tier1, asker) ?? false);
  }

  update(id: string, value: string | undefined, asker: Tier1Source): Tier1Outcome {
    return this.#logged(() => this.#tier?.update(id, value, asker) ?? 'off');
  }

  rebase(asker: Tier1Source): RebaseOutcome {
    return this.#logged(() => this.#tier?.rebase(asker) ?? 'off');
  }

  /** For somebody whom the session's policy gives no say. */
  deny(id: string, asker: Tier1Source): 'denied' | 'off' {
    return this.#logged(() => this.#tier?.deny(id, asker) ?? 'off');
  }
}
