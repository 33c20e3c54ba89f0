import type { JsonObject } from '../../../protocol/request/json.ts';
import type { Sealed, Session, SessionOptions } from '../../sessionTypes.ts';
import { BlockTexts } from '../blockTexts.ts';
import { fromJson, toJson, toJsonObject } from '../hostJson.ts';
import { payloadReceipt } from '../payloadReceipt.ts';
import { conflictSentences, startLine } from '../sessionSummary.ts';
import type { BeforeAgentStart, PiApi, PiContext, PiMessage } from './piApi.ts';
import { expectedParts } from './piExpected.ts';
import { outcomeOf, usageOf } from './piOutcome.ts';
import { piSources } from './piSources.ts';
import { withoutDefinitions } from './piSystemPrompt.ts';
import type { Tell } from './piTeller.ts';

/** Opens the session that obeys and logs; tests give their own. */
export type OpenSession = (options: SessionOptions) => Promise<Session>;

interface SentRequest {
  readonly sealed: Sealed;
  receipted: boolean;
}

/** One session of pi beside its log. */
export class PiSession {
  readonly session: Session;
  readonly #pi: PiApi;
  readonly #agentFolder: string;
  readonly #texts = new BlockTexts();
  readonly #told = new Set<string>();
  #sent: SentRequest | undefined;
  #started = false;

  constructor(session: Session, pi: PiApi, agentFolder: string) {
    this.session = session;
    this.#pi = pi;
    this.#agentFolder = agentFolder;
  }

  /** Loads what pi loaded as instructions; gives the system prompt in which no definition stands twice. */
  start(event: BeforeAgentStart, tell: Tell): { readonly systemPrompt: string } | undefined {
    const { sources, problems } = piSources(event.systemPromptOptions, this.#agentFolder);
    for (const source of sources) {
      const outcomes = this.session.loadSource(source);
      this.#texts.remember(source);
      for (const sentence of conflictSentences(outcomes, source.source)) {
        this.#tellOnce(tell, sentence);
      }
    }
    for (const sentence of [...problems, ...this.session.notices]) {
      this.#tellOnce(tell, sentence);
    }
    if (!this.#started) {
      this.#started = true;
      tell(startLine(this.session.state));
    }
    return withoutDefinitions(event, text => this.session.withoutDefinitions(text));
  }

  /** The messages of the next request. Rejects when there must be no request. */
  async view(messages: readonly PiMessage[], context: PiContext): Promise<readonly PiMessage[]> {
    this.ended('aborted');
    const sealed = await this.session.buildRequest({
      messages: messages.map(message => toJsonObject(message)),
      system: context.getSystemPrompt(),
      tools: this.#tools(),
      config: this.#config(context),
      ...(context.signal ? { signal: context.signal } : {}),
    });
    this.#sent = { sealed, receipted: false };
    // Copies of the rest: other extensions may change what they get.
    return sealed.messages.map((message, index) => {
      const origin = sealed.origins[index];
      const own = origin === undefined ? undefined : messages[origin];
      return own ?? (fromJson(message) as PiMessage);
    });
  }

  /** Compares what leaves with what was sealed; payloads of other calls (a summary, a title) are none of ours. */
  payload(payload: unknown): void {
    const sent = this.#sent;
    if (!sent || sent.receipted) {
      return;
    }
    sent.receipted = true;
    const parts = expectedParts(sent.sealed);
    const discarded = this.#texts.discarded(this.session.state);
    this.session.receipt(sent.sealed.requestSequence, payloadReceipt(payload, { parts, discarded }));
  }

  /** An assistant message is finished. */
  answered(message: PiMessage): void {
    if (message.role === 'assistant') {
      const answer = toJsonObject(message);
      this.ended(outcomeOf(answer), answer);
    }
  }

  /** The last request is over; nothing happens where it was before. */
  ended(outcome: 'completed' | 'failed' | 'aborted', answer?: JsonObject): void {
    const sent = this.#sent;
    if (!sent) {
      return;
    }
    this.#sent = undefined;
    const usage = answer && usageOf(answer);
    this.session.response(sent.sealed.requestSequence, { outcome, ...(usage ? { usage } : {}) });
  }

  #tools(): readonly JsonObject[] {
    const active = new Set(this.#pi.getActiveTools());
    return this.#pi
      .getAllTools()
      .filter(({ name }) => active.has(name))
      .map(({ name, description, parameters }) => toJsonObject({ name, description, parameters }));
  }

  #config({ model }: PiContext): JsonObject {
    const thinking = this.#pi.getThinkingLevel();
    return toJson({ provider: model?.provider, api: model?.api, model: model?.id, thinking }) as JsonObject;
  }

  #tellOnce(tell: Tell, sentence: string): void {
    if (!this.#told.has(sentence)) {
      this.#told.add(sentence);
      tell(sentence, 'warning');
    }
  }
}
