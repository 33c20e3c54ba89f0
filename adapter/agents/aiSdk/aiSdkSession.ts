import type { GivenLimits } from '../../budget/sessionLimits.ts';
import type { Ended, Sealed, Session, Source } from '../../sessionTypes.ts';
import { BlockTexts } from '../blockTexts.ts';
import { payloadReceipt } from '../payloadReceipt.ts';
import { sourceSentences } from '../sessionSummary.ts';
import { sentenceOf } from '../tell.ts';
import type { CallParams, Model, PromptMessage } from './aiSdkApi.ts';
import { expectedParts, requestInput, sealedPrompt, splitPrompt } from './aiSdkRequest.ts';
import { endedBy, failedBy } from './answers.ts';

/** What happens to one request after it was sealed. */
export interface Call {
  /** The body as the provider says that it left; undefined where it does not say. */
  sent(body: unknown): void;
  finished(result: object): void;
  readonly ended: (how: Ended) => void;
  /** It ended with this error. */
  broken(error: unknown): void;
}

/** A call as the host made it, and what was sealed of it. */
interface SealedCall {
  readonly sealed: Sealed;
  readonly asked: CallParams;
  readonly model: Model;
}

export interface ConversationOptions {
  readonly sources: readonly Source[];
  readonly onNotice: (sentence: string) => void;
  /** What the program knows of its model. */
  readonly limits: GivenLimits | undefined;
}

/** One conversation beside its log. */
export class AiSdkSession {
  readonly session: Session;
  readonly #sources: readonly Source[];
  readonly #onNotice: (sentence: string) => void;
  readonly #texts = new BlockTexts();
  readonly #limits: GivenLimits | undefined;
  readonly #calls = new WeakMap<object, SealedCall>();

  constructor(session: Session, { sources, onNotice, limits }: ConversationOptions) {
    this.session = session;
    this.#sources = sources;
    this.#onNotice = onNotice;
    this.#limits = limits;
    for (const source of sources) {
      const outcomes = session.loadSource(source);
      this.#texts.remember(source);
      sourceSentences(source, outcomes, session.state).forEach(onNotice);
    }
    session.notices.forEach(onNotice);
  }

  /** The call with the view in place of its prompt. Rejects when there must be no request. */
  async transform<Params extends CallParams>(params: Params, model: Model): Promise<Params> {
    const { system, messages } = splitPrompt(params.prompt);
    const split = { system: system.map(message => this.#withoutDefinitions(message)), messages };
    const input = requestInput(split, params, model);
    const sealed = await this.session.buildRequest(this.#limits ? { ...input, limits: this.#limits } : input);
    const transformed = { ...params, prompt: sealedPrompt(sealed, split) };
    this.#calls.set(transformed, { sealed, asked: params, model });
    return transformed;
  }

  /**
   * T-27: a call that was refused for its length, planned anew; absent where the budget layer has learned nothing from the
   * refusal. Rejects as `transform` does.
   */
  async plannedAgain(refused: CallParams): Promise<CallParams | undefined> {
    const call = this.#calls.get(refused);
    const { learned } = this.session.state.budget;
    return call && learned?.requestSequence === call.sealed.requestSequence
      ? this.transform(call.asked, call.model)
      : undefined;
  }

  /** What follows a call that `transform` gave; nothing where another middleware has put its own in its place. */
  call(params: CallParams): Call {
    const sealed = this.#calls.get(params)?.sealed;
    // the answer is there: what cannot be logged any more must not take it away
    const noted = (work: (sealed: Sealed) => void): void => {
      try {
        if (sealed) {
          work(sealed);
        }
      } catch (error) {
        this.#onNotice(sentenceOf(error));
      }
    };
    const ended = (how: Ended): void => noted(({ requestSequence }) => this.session.response(requestSequence, how));
    return {
      sent: body => noted(sent => this.session.receipt(sent.requestSequence, this.#receipt(sent, body))),
      finished: result => ended(endedBy(result)),
      ended,
      broken: error => ended(failedBy(error, params.abortSignal)),
    };
  }

  #receipt(sealed: Sealed, body: unknown): Parameters<Session['receipt']>[1] {
    const payload = parsed(body);
    return payload === undefined
      ? { result: 'not-reported', evidence: 'the provider does not say what it sent' }
      : payloadReceipt(payload, { parts: expectedParts(sealed), discarded: this.#texts.discarded(this.session.state) });
  }

  /** A source that the host shows in its own prompt is shown there without its definitions. */
  #withoutDefinitions(message: PromptMessage): PromptMessage {
    const { content } = message;
    if (typeof content !== 'string') {
      return message;
    }
    const taken = this.#sources.reduce(
      (text, source) =>
        source.text === '' ? text : text.replaceAll(source.text, shown => this.session.withoutDefinitions(shown)),
      content,
    );
    return taken === content ? message : { ...message, content: taken };
  }
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') {
    return body ?? undefined;
  }
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
