/** What a provider's number can be compared with: the model, and everything that stands before the history. */
export interface RequestKind {
  readonly model: string;
  /** The same for requests with equal headers, and for no others. */
  readonly header: string;
}

/** What a model's provider counted for a request, and what was counted here. */
export interface Sample {
  readonly provider: number;
  readonly local: number;
}

/** Beyond these a provider's number is about something else (cached tokens left out, another request): it is not believed. */
const BELIEVABLE = { least: 0.25, most: 4 } as const;

/**
 * What was learned from a provider's numbers, in one session. No factor is built in: tokenizers change from one model to
 * the next (specs/tokens.md 4).
 */
export class Calibration {
  #last: (RequestKind & Sample) | undefined;
  #samples = 0;

  /** Takes a provider's number of input tokens, cached ones included; false when it is not believed. */
  add(kind: RequestKind, sample: Sample): boolean {
    const ratio = sample.provider / sample.local;
    if (!(ratio >= BELIEVABLE.least && ratio <= BELIEVABLE.most)) {
      return false;
    }
    this.#samples = this.#last?.model === kind.model ? this.#samples + 1 : 1;
    this.#last = { ...kind, ...sample };
    return true;
  }

  /** The last sample's request was counted anew. */
  recount(local: number): void {
    if (this.#last && local > 0) {
      this.#last = { ...this.#last, local };
    }
  }

  /** Provider input ÷ local count of the last sample of this model, with how many there were; 1 and 0 when there was none. */
  factor(model: string): { readonly factor: number; readonly samples: number } {
    const last = this.#last;
    return last?.model === model
      ? { factor: last.provider / last.local, samples: this.#samples }
      : { factor: 1, samples: 0 };
  }

  /** The last sample, for a request of the very same kind; absent when the model or the header is another. */
  anchor({ model, header }: RequestKind): Sample | undefined {
    const last = this.#last;
    return last?.model === model && last.header === header ? { provider: last.provider, local: last.local } : undefined;
  }
}
