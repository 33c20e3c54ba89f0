import { frozenCopy } from './frozenCopy.ts';
import type { JsonObject } from './json.ts';

/**
 * The message that holds the active blocks (DESIGN, flow 2). It stays the same frozen object while its text is the same, so
 * that a request whose blocks did not change is sealed from where they end.
 */
export class BlocksMessage {
  readonly #userMessage: (text: string) => JsonObject;
  #text: string | undefined;
  #message: JsonObject | undefined;

  /** `userMessage` makes a message of role `user` in the host's form. */
  constructor(userMessage: (text: string) => JsonObject) {
    this.#userMessage = userMessage;
  }

  /** Absent where no block is active. */
  of(text: string | undefined): JsonObject | undefined {
    if (text !== this.#text) {
      this.#text = text;
      this.#message = text === undefined ? undefined : frozenCopy(this.#userMessage(text));
    }
    return this.#message;
  }
}

/** The whole prefix of a request, frozen: the blocks' message is its last one, and is no message where no block is active. */
export function withBlocks(
  prefix: readonly JsonObject[],
  blocksMessage: JsonObject | undefined,
): readonly JsonObject[] {
  return blocksMessage ? Object.freeze([...prefix, blocksMessage]) : prefix;
}
