import { setTimeout } from 'node:timers/promises';
import type { AgentSession } from '../../adapter/agentSession.ts';
import { openProbedSession } from '../../adapter/openProbedSession.ts';
import type { SessionConfig } from '../../adapter/sessionTypes.ts';
import type { ReadWork } from '../../protocol/lifecycle/unit.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { freshTranscript } from './transcript.ts';

/** Milliseconds. */
const LONGEST_COUNT = 120_000;

const HEADER = {
  config: { model: 'gpt-4o', temperature: 0 },
  system: 'You write code. '.repeat(500),
  tools: ['read', 'write', 'bash'].map(name => ({ name, description: 'A tool. '.repeat(50), parameters: {} })),
};

/** A session of the product whose host keeps its transcript as text: each request is handed nothing but fresh copies. */
export class GrowingSession {
  readonly work: ReadWork;
  readonly #session: AgentSession;
  #length: number;
  /** The request that was not answered yet. */
  #asked: number | undefined;

  private constructor(session: AgentSession, work: ReadWork, length: number) {
    this.#session = session;
    this.work = work;
    this.#length = length;
  }

  static async open(folder: string, config: SessionConfig, length: number): Promise<GrowingSession> {
    const work = { parsed: 0, hashed: 0, compared: 0 };
    const options = { agent: 'bench', folder, config: { announce: false, ...config } };
    return new GrowingSession(await openProbedSession(options, { work }), work, length);
  }

  /** What the host hands over after its last request was answered. */
  next(added: number): readonly JsonObject[] {
    if (this.#asked !== undefined) {
      this.#session.response(this.#asked, { outcome: 'completed' });
    }
    this.#length += added;
    return freshTranscript(this.#length);
  }

  async build(messages: readonly JsonObject[]): Promise<void> {
    const { requestSequence } = await this.#session.buildRequest({ ...HEADER, messages });
    this.#asked = requestSequence;
  }

  /** Builds requests until none of their tokens are estimates any more; the first ones, while the worker counts, are not what lasts. */
  async settle(): Promise<void> {
    const deadline = performance.now() + LONGEST_COUNT;
    do {
      await setTimeout(100);
      await this.build(this.next(0));
    } while (this.#isEstimated() && performance.now() < deadline);
  }

  #isEstimated(): boolean {
    const { requests } = this.#session.state;
    return requests.get(requests.length - 1)?.sealed.sizes?.messages.origin === 'estimated';
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
