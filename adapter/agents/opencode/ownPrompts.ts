import type { OpencodeClient } from './opencodeApi.ts';

/** Where opencode does not say: the title generator of 1.18. */
const TITLE = 'You are a title generator.';

/**
 * The prompts with which opencode asks by itself: for a title, a summary, a compaction. It asks for a title with the session's
 * own id, at the same time as the session's first request.
 */
export class OwnPrompts {
  readonly #client: OpencodeClient;
  #prompts: Promise<readonly string[]> | undefined;

  constructor(client: OpencodeClient) {
    this.#client = client;
  }

  /** Whether a system prompt begins with one of them. */
  async begin(system: string): Promise<boolean> {
    this.#prompts ??= this.#ask().catch(() => {
      // the next call asks again
      this.#prompts = undefined;
      return [TITLE];
    });
    return (await this.#prompts).some(prompt => system.startsWith(prompt));
  }

  async #ask(): Promise<readonly string[]> {
    const { data = [] } = await this.#client.app.agents();
    return [TITLE, ...data.flatMap(({ hidden, prompt }) => (hidden && prompt ? [prompt] : []))];
  }
}
