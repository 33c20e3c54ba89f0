import { isJsonArray, isJsonObject, type JsonObject } from './json.ts';
import { strictCopy } from './strictCopy.ts';

/** Says that nobody waits for a request any more. An `AbortSignal` is one. */
export interface Interruption {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** Gives messages that stand before the history in every request of an instance; it adds nothing when it gives its seed. */
export type PrefixContributor<Signal extends Interruption = Interruption> = (
  seed: readonly JsonObject[],
  signal: Signal | undefined,
) => Promise<readonly JsonObject[]> | readonly JsonObject[];

/** The session prefix cannot be composed, or not any more: the request is not built, and the next one tries again. */
export class PrefixError extends Error {
  override readonly name = 'PrefixError';
}

/** The request was given up while its prefix was composed; `cause` is the reason that was given. */
export class PrefixInterruptedError extends Error {
  override readonly name = 'PrefixInterruptedError';

  constructor(cause: unknown) {
    super('The request was not built, because it was given up while the session prefix was composed.', { cause });
  }
}

/** What each contributor is given. */
const SEED: readonly JsonObject[] = Object.freeze([]);

/**
 * The messages that open every request of one instance (seed 2; request-log 9). They are composed once, when the first
 * request needs them, and reused verbatim: that the prefix does not change is how this is built, not a promise of its
 * contributors. A resumed or forked session is another instance with another prefix.
 *
 * Contributors are asked one after another in the order in which they were registered, and their messages stand in this
 * order.
 */
export class SessionPrefix<Signal extends Interruption = Interruption> {
  readonly #contributors: PrefixContributor<Signal>[] = [];
  #composed: readonly JsonObject[] | undefined;
  #composing: Promise<readonly JsonObject[]> | undefined;

  /** Throws `PrefixError` once the prefix is composed, or is being composed. */
  contribute(contributor: PrefixContributor<Signal>): void {
    if (this.#composed || this.#composing) {
      throw new PrefixError(
        'Nothing can be added to the session prefix any more, because a request was built with it. Contribute before the first request, or append a message.',
      );
    }
    this.#contributors.push(contributor);
  }

  /** Deep-frozen; absent until it is composed. */
  get composed(): readonly JsonObject[] | undefined {
    return this.#composed;
  }

  /**
   * The prefix, deep-frozen, the same list each time. Rejects, and keeps nothing, with `PrefixInterruptedError` when the
   * request was given up meanwhile, and with `PrefixError` when a contributor throws or gives anything but a list of messages
   * that survive JSON unchanged.
   */
  async compose(signal?: Signal): Promise<readonly JsonObject[]> {
    while (!this.#composed) {
      // Requests that are built at the same time share one composition; one that failed is not theirs to fail with.
      const others = this.#composing;
      if (others) {
        await others.catch(() => undefined);
      } else {
        await this.#composeOnce(signal);
      }
    }
    return this.#composed;
  }

  async #composeOnce(signal: Signal | undefined): Promise<void> {
    // Contributors are asked when it is known that it is being composed.
    this.#composing = Promise.resolve().then(() => this.#ask(signal));
    try {
      this.#composed = await this.#composing;
    } finally {
      this.#composing = undefined;
    }
  }

  async #ask(signal: Signal | undefined): Promise<readonly JsonObject[]> {
    const messages: JsonObject[] = [];
    for (const [index, contributor] of this.#contributors.entries()) {
      refuseInterruption(signal);
      const given = await answerOf(contributor, index, signal);
      // A contributor that gave up early on the signal gave less than it has: that must not stay (request-log 9).
      refuseInterruption(signal);
      messages.push(...messagesOf(given, index));
    }
    refuseInterruption(signal);
    return Object.freeze(messages);
  }
}

async function answerOf<Signal extends Interruption>(
  contributor: PrefixContributor<Signal>,
  index: number,
  signal: Signal | undefined,
): Promise<unknown> {
  try {
    return await contributor(SEED, signal);
  } catch (error) {
    refuseInterruption(signal);
    const said = error instanceof Error ? error.message : String(error);
    throw new PrefixError(
      `The request was not built, because contributor ${index + 1} of the session prefix failed: ${said}`,
      {
        cause: error,
      },
    );
  }
}

function messagesOf(given: unknown, index: number): readonly JsonObject[] {
  const who = `The request was not built, because contributor ${index + 1} of the session prefix gave`;
  const result = strictCopy(given);
  if ('fault' in result) {
    const { path, found } = result.fault;
    throw new PrefixError(`${who} something that JSON cannot hold: ${path === '' ? 'its list' : path} is ${found}.`);
  }
  const { copy } = result;
  if (!isJsonArray(copy) || !copy.every(isJsonObject)) {
    throw new PrefixError(`${who} no list of messages.`);
  }
  return copy;
}

function refuseInterruption(signal: Interruption | undefined): void {
  if (signal?.aborted) {
    throw new PrefixInterruptedError(signal.reason);
  }
}
