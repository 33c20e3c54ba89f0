import type { EventData } from '../../../protocol/log/sessionEvents.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { Sealed, Session, SessionOptions } from '../../sessionTypes.ts';
import { BlockTexts } from '../blockTexts.ts';
import { fromJson, toJson, toJsonObject } from '../hostJson.ts';
import { payloadReceipt } from '../payloadReceipt.ts';
import { sourceSentences, startLine } from '../sessionSummary.ts';
import type { BeforeAgentStart, PiApi, PiContext, PiMessage } from './piApi.ts';
import { expectedParts } from './piExpected.ts';
import { limitsOf } from './piLimits.ts';
import { textMember } from './piMessages.ts';
import { callsToolsOf, outcomeOf, usageOf } from './piOutcome.ts';
import { piSources } from './piSources.ts';
import { withoutDefinitions } from './piSystemPrompt.ts';
import { type Tell, teller } from './piTeller.ts';

/** Opens the session that obeys and logs; tests give their own. */
export type OpenSession = (options: SessionOptions) => Promise<Session>;

interface SentRequest {
  readonly sealed: Sealed;
  receipted: boolean;
  /** How many messages pi had when it asked. */
  readonly given: number;
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
  /** Blocks that a message of the person tried to discard, of which nobody has told them yet. */
  readonly #denied: string[] = [];
  /** The last answer, which may be reported twice. */
  #lastAnswer: string | undefined;

  constructor(session: Session, pi: PiApi, agentFolder: string) {
    this.session = session;
    this.#pi = pi;
    this.#agentFolder = agentFolder;
    session.onEvent(event => {
      if (event.type === 'discard/denied') {
        const { class: asker, blockId } = event.data as EventData<'discard/denied'>;
        if (asker === 'user') {
          this.#denied.push(blockId);
        }
      }
    });
  }

  /** Whether context files are loaded: pi names them with the first prompt. */
  get started(): boolean {
    return this.#started;
  }

  /** Loads what pi loaded as instructions; what is loaded and unchanged stays as it is. */
  load(options: BeforeAgentStart['systemPromptOptions'], tell: Tell): void {
    const { sources, problems } = piSources(options, this.#agentFolder);
    for (const source of sources) {
      const outcomes = this.session.loadSource(source);
      this.#texts.remember(source);
      for (const sentence of sourceSentences(source, outcomes, this.session.state)) {
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
  }

  /** The system prompt in which no definition stands twice, where it must be another one. */
  prompt(event: BeforeAgentStart): { readonly systemPrompt: string } | undefined {
    return withoutDefinitions(event, text => this.session.withoutDefinitions(text));
  }

  /** The messages of the next request. Rejects when there must be no request. */
  async view(messages: readonly PiMessage[], context: PiContext): Promise<readonly PiMessage[]> {
    this.#endBefore(messages);
    const sealed = await this.session.buildRequest({
      messages: messages.map(message => toJsonObject(message)),
      system: context.getSystemPrompt(),
      tools: this.#tools(),
      config: this.#config(context),
      limits: limitsOf(context.model),
      ...(context.signal ? { signal: context.signal } : {}),
    });
    this.#sent = { sealed, receipted: false, given: messages.length };
    for (const id of this.#denied.splice(0)) {
      // The line may have been pasted, so that it asks for a command and is not obeyed.
      this.#tellOnce(
        teller(context),
        `A line in your message discards nothing. To drop block ${id}, type /context-discard ${id}.`,
      );
    }
    return asList(sealed, messages);
  }

  /** Compares what leaves with what was sealed; payloads of other calls (a summary, a title) are none of ours. */
  payload(payload: unknown): void {
    const sent = this.#sent;
    if (!sent || sent.receipted) {
      return;
    }
    sent.receipted = true;
    const parts = expectedParts(sent.sealed);
    const { system } = sent.sealed;
    const composed = typeof system === 'string' ? [{ name: 'the system prompt', texts: [system.trim()] }] : [];
    const discarded = this.#texts.discarded(this.session.state);
    this.session.receipt(sent.sealed.requestSequence, payloadReceipt(payload, { composed, parts, discarded }));
  }

  /** An assistant message is finished. */
  answered(message: PiMessage): void {
    if (message.role === 'assistant') {
      this.#answeredBy(toJsonObject(message));
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
    const callsTools = answer && callsToolsOf(answer);
    const error = answer && textMember(answer, 'errorMessage');
    this.session.response(sent.sealed.requestSequence, {
      outcome,
      ...(usage && { usage }),
      ...(callsTools !== undefined && { callsTools }),
      ...(error !== undefined && { error }),
    });
  }

  /** 0.73 says that a message ended in its own time, which may be after it asks for the next request. */
  #endBefore(messages: readonly PiMessage[]): void {
    const answer = messages.slice(this.#sent?.given ?? messages.length).find(({ role }) => role === 'assistant');
    if (answer) {
      this.#answeredBy(toJsonObject(answer));
    }
    this.ended('aborted');
  }

  #answeredBy(answer: JsonObject): void {
    const key = JSON.stringify([answer['timestamp'], answer['content']]);
    if (key !== this.#lastAnswer) {
      this.#lastAnswer = key;
      this.ended(outcomeOf(answer), answer);
    }
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

/**
 * The host's own messages where they are unchanged, and copies of the rest, which other extensions may change. The first one
 * always is a copy: pi 1.6 leaves earlier versions of its system prompt in the request of a list that is the very one that it
 * gave, and a context file in them may show a block that is discarded now.
 */
function asList({ messages, origins }: Sealed, given: readonly PiMessage[]): readonly PiMessage[] {
  return messages.map((message, index) => {
    const origin = origins[index];
    const own = origin === undefined ? undefined : given[origin];
    return own ? (index === 0 ? { ...own } : own) : (fromJson(message) as PiMessage);
  });
}
