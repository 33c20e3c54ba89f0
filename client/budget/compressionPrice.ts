import type { CompressionWhatIf, PanelSession } from '../session/sessionModel.ts';

interface Asked {
  /** The request as it was measured. */
  readonly measured: string;
  answer?: CompressionWhatIf | undefined;
  isOpen: boolean;
}

/** What a compression of one session would do now. It is asked for once a measured request that is drawn, one question at a time. */
export class CompressionPrice {
  readonly #answered: () => void;
  #asked: Asked | undefined;

  /** `answered` is called when the session should be drawn again. */
  constructor(answered: () => void) {
    this.#answered = answered;
  }

  /** Of the last request; absent while it is not known, and where the session does not say it. */
  of(session: PanelSession): CompressionWhatIf | undefined {
    const measured = canBeCompressed(session) ? measuredOf(session) : undefined;
    if (measured === undefined) {
      return undefined;
    }
    if (this.#asked?.measured !== measured && !this.#asked?.isOpen) {
      this.#asked = { measured, isOpen: true };
      void this.#ask(this.#asked, session);
    }
    return this.#asked?.measured === measured ? this.#asked.answer : undefined;
  }

  async #ask(asked: Asked, session: PanelSession): Promise<void> {
    // An agent that was asked in vain, or whose adapter is older than the question, has no price: nothing is said of it.
    asked.answer = await session.whatIfCompressed().catch(() => undefined);
    asked.isOpen = false;
    this.#answered();
  }
}

/** Whether there is a request that a compression now would be about: the last one that this run of the agent has measured. */
export function canBeCompressed({ link, asOf, state }: PanelSession): boolean {
  const { budget, requests, opened } = state;
  const last = budget.measures.get(budget.measures.length - 1);
  return (
    link.kind === 'connected' &&
    asOf === undefined &&
    last !== undefined &&
    // Later requests without a measure: the layer is off now.
    requests.length <= last.requestSequence &&
    (opened?.seq ?? 0) < last.seq
  );
}

/** A session that goes on in another log has other requests with the same numbers. */
function measuredOf({ header, state: { budget } }: PanelSession): string {
  return `${header.created}:${budget.measures.get(budget.measures.length - 1)?.seq}`;
}
