import { createHash } from 'node:crypto';
import type { AgentSession } from '../../agentSession.ts';
import type { GatewayApi, SplitBody } from '../apis/gatewayApi.ts';
import type { ReceivedBody } from '../body/bodyView.ts';
import { composeBody } from '../body/composeBody.ts';
import { editedBytes } from '../body/editedBytes.ts';
import type { GatewayCall, Sending } from '../gatewayCall.ts';
import { bodyViewOf, cutBody } from './bodyViewOf.ts';
import { budgetNotice } from './budgetNotice.ts';
import { deniedInMessage } from './deniedDiscard.ts';
import { HostCopies } from './hostCopies.ts';
import { RememberedSources } from './rememberedSources.ts';
import { SentRequest } from './sentRequest.ts';
import type { Pooled } from './sessionPool.ts';
import { isShownBy, SessionSources, type SessionSourcesOptions, type WantedSource } from './sessionSources.ts';
import { standingContext } from './standingContext.ts';

/** A body that an API has taken apart. */
export interface SplitCall {
  readonly call: Pick<GatewayCall, 'path' | 'headers' | 'body' | 'encoding' | 'encoded' | 'signal'>;
  readonly api: GatewayApi;
  readonly received: ReceivedBody;
  readonly split: SplitBody;
}

export interface GatewaySessionOptions extends Omit<SessionSourcesOptions, 'copies'> {
  readonly api: GatewayApi;
  readonly agent: string;
}

/** A request in the log. */
export interface BuiltCall extends Sending {
  /** The budget layer has planned it. */
  readonly isPlanned: boolean;
  /** The provider has refused it for its length, and it may be planned anew with what that taught (T-27). */
  isTooLong(): boolean;
}

/** One conversation of an agent: its session, its context files, and what its host shows of them. */
export class GatewaySession implements Pooled {
  readonly session: AgentSession;
  readonly #api: GatewayApi;
  readonly #copies: HostCopies;
  readonly #sources: SessionSources;
  readonly #remembered: RememberedSources;
  readonly #tell: (sentence: string) => void;
  /** Requests leave in the order in which they are in the log. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ session, api, agent, ...others }: GatewaySessionOptions) {
    const { tell, files } = others;
    this.session = session;
    this.#api = api;
    this.#tell = tell;
    this.#copies = new HostCopies(text => session.withoutDefinitions(text));
    this.#sources = new SessionSources({ session, copies: this.#copies, ...others });
    this.#remembered = new RememberedSources(session.state.lifecycle, files, path => isShownBy(agent, path));
    session.notices.forEach(tell);
    const told = new Set<string>();
    session.onEvent(event => {
      const sentence = deniedInMessage(event, session.id) ?? budgetNotice(event);
      if (sentence !== undefined && !told.has(sentence)) {
        told.add(sentence);
        tell(sentence);
      }
    });
  }

  /**
   * The request of a call, in the log. `done` is called when its answer is over. Rejects, as `Session.buildRequest` does, when there
   * must be no request; `done` is not called then.
   */
  prepare(call: SplitCall, wanted: readonly WantedSource[], done: () => void): Promise<BuiltCall> {
    const sending = this.#queue.then(() => this.#prepare(call, wanted, done));
    this.#queue = sending.catch(() => undefined);
    return sending;
  }

  /** Logs what a person should know, if it can be logged at all. */
  note(code: string, sentence: string): void {
    try {
      this.session.problem(code, sentence);
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error));
    }
  }

  close(reason: string): Promise<void> {
    return this.session.close(reason);
  }

  async #prepare(
    { call, api, received, split }: SplitCall,
    wanted: readonly WantedSource[],
    done: () => void,
  ): Promise<BuiltCall> {
    const { session } = this;
    if (api !== this.#api) {
      throw new Error(
        `The name of this conversation is that of one by another API (${this.#api.name}). Give each of them its own name.`,
      );
    }
    call.signal.throwIfAborted();
    this.#sources.load(this.#remembered.with(wanted), this.#beginsTurn(split));
    const body = cutBody(api, received.value, split, this.#copies);
    const { messages, system, tools, config } = body.cut;
    const { name, window } = api.model?.(call, received.value) ?? {};
    const sealed = await session.buildRequest({
      messages,
      config: name === undefined ? config : { model: name, ...config },
      ...(window !== undefined && { limits: { window } }),
      pinned: standingContext(api.format, messages),
      ...(system !== undefined && { system }),
      ...(tools && { tools }),
      signal: call.signal,
    });
    const { requestSequence } = sealed;
    try {
      this.#sources.requested();
      const composed = composeBody(received, bodyViewOf(body, sealed, session.state.budget.edits.length > 0));
      const { edits, pieces } = composed;
      const isSame = edits.length === 0;
      const bytes = isSame ? (call.encoded ?? call.body) : editedBytes(call.body, received.text, edits);
      session.logBody(requestSequence, {
        // only what was compressed as it came is read: its text is the received one
        text: received.text,
        pieces,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        ...(isSame && call.encoded && call.encoding !== undefined && { encoding: call.encoding }),
      });
      const sent = new SentRequest({ session, api, requestSequence, done, tell: this.#tell });
      return {
        kind: 'send',
        sent,
        ...(!isSame && { body: bytes }),
        isPlanned: session.state.budget.measures.length > 0,
        isTooLong: () => session.state.budget.learned?.requestSequence === requestSequence,
      };
    } catch (error) {
      session.response(requestSequence, { outcome: 'failed' });
      throw error;
    }
  }

  /** What a person says begins a turn; the results of tools go on with one. */
  #beginsTurn({ messages }: SplitBody): boolean {
    const last = messages.at(-1);
    return last !== undefined && !this.#api.format.describe(last).units.some(unit => unit.class === 'tool-result');
  }
}
