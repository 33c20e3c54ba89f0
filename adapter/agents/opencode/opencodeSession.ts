import type { EventData } from '../../../protocol/log/sessionEvents.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { GivenLimits } from '../../budget/sessionLimits.ts';
import type { BegunRequest, Session } from '../../sessionTypes.ts';
import { toJson } from '../hostJson.ts';
import { startLine } from '../sessionSummary.ts';
import type { MessageInfo, OpencodeMessage, OpencodeModel } from './opencodeApi.ts';
import { endedBy } from './opencodeOutcome.ts';
import type { Tell } from './opencodeTeller.ts';
import { seenMessage } from './seenMessage.ts';
import { sentMessages } from './sentMessages.ts';
import type { ShownSources } from './shownSources.ts';

/** Between the hook that gives the messages and the last one before the request leaves. */
interface ComingRequest {
  readonly begun: BegunRequest;
  /** Of the user message that is answered. */
  readonly asked: MessageInfo | undefined;
  system?: string;
}

/** The budget layer stops the agent: a handler that rejects ends opencode's run. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** What a plug-in cannot see. */
const NOT_REPORTED = { result: 'not-reported', evidence: 'opencode does not show a plug-in what it sends' } as const;

/** One session of opencode beside its log. opencode asks for messages, then system prompt, then parameters of each request. */
export class OpencodeSession {
  readonly session: Session;
  readonly isChild: boolean;
  readonly #sources: ShownSources;
  readonly #tell: Tell;
  readonly #told = new Set<string>();
  /** Blocks that a message of the person tried to discard, of which nobody has told them yet. */
  readonly #denied: string[] = [];
  #started = false;
  #coming: ComingRequest | undefined;
  /** Of the last request: its id, and what opencode knows of it. */
  #model: { readonly id: string | undefined; readonly limits: GivenLimits } | undefined;
  /** Why the request that is being built must not leave. */
  #stopped: string | undefined;
  /** The request that is being answered. */
  #sent: number | undefined;
  /** Answers that opencode had when it asked: those that come later are to this request. */
  #known: ReadonlySet<string> = new Set();

  constructor(session: Session, sources: ShownSources, tell: Tell, isChild: boolean) {
    this.session = session;
    this.isChild = isChild;
    this.#sources = sources;
    this.#tell = tell;
    session.onEvent(event => {
      if (event.type === 'discard/denied') {
        const { class: asker, blockId } = event.data as EventData<'discard/denied'>;
        if (asker === 'user') {
          this.#denied.push(blockId);
        }
      }
    });
  }

  /** Whether no request is on its way. */
  get isIdle(): boolean {
    return this.#coming === undefined && this.#sent === undefined;
  }

  load(): void {
    for (const sentence of [...this.#sources.load(), ...this.session.notices]) {
      this.#tellOnce(sentence);
    }
    if (!this.#started) {
      this.#started = true;
      if (!this.isChild) {
        this.#tell(startLine(this.session.state));
      }
    }
  }

  /** The messages of the next request. Rejects when there must be no request. */
  async messages(given: readonly OpencodeMessage[]): Promise<readonly OpencodeMessage[]> {
    this.#coming = undefined;
    this.#endBefore(given);
    this.load();
    this.#stopped = undefined;
    const asked = given.findLast(({ info }) => info.role === 'user')?.info;
    const begun = await this.session.beginRequest({
      messages: given.map(message => seenMessage(message)),
      config: toJson(modelOf(asked)) as JsonObject,
      ...(this.#model?.id === asked?.model?.modelID && this.#model && { limits: this.#model.limits }),
    });
    this.#requireGoing();
    this.#coming = { begun, asked };
    this.#known = new Set(answersIn(given).map(({ id }) => id));
    for (const id of this.#denied.splice(0)) {
      // The line may have been pasted, so that it asks for a command and is not obeyed.
      this.#tellOnce(`A line in your message discards nothing. To drop block ${id}, type /context-discard ${id}.`);
    }
    return sentMessages(begun, given);
  }

  /** Stops opencode before the request that is being built leaves; where there is none, nothing happens. */
  stop(why: string): void {
    this.#stopped = why;
  }

  /** The system prompt of the request whose messages were given; another call's stays as it is. */
  system(text: string): string {
    if (!this.#coming || this.#coming.system !== undefined) {
      return text;
    }
    // a file may have changed since the messages were asked for
    this.load();
    this.#coming.system = this.#sources.withoutDefinitions(text);
    return this.#coming.system;
  }

  /** The last word before the request leaves. Rejects when it must not. */
  async parameters(agent: string, parameters: Readonly<Record<string, unknown>>, model?: OpencodeModel): Promise<void> {
    const coming = this.#coming;
    if (!coming || (coming.asked?.agent ?? agent) !== agent) {
      return;
    }
    if (coming.system === undefined) {
      throw new Error('opencode asked the model without showing its system prompt.');
    }
    this.#coming = undefined;
    this.#model = { id: coming.asked?.model?.modelID, limits: limitsOf(model) };
    const { requestSequence } = await coming.begun.seal({
      config: toJson({ ...modelOf(coming.asked), agent, ...parameters }) as JsonObject,
      system: coming.system,
      limits: this.#model.limits,
    });
    this.#sent = requestSequence;
    this.session.receipt(requestSequence, NOT_REPORTED);
  }

  /** opencode says something new of a message. */
  updated(info: MessageInfo): void {
    const ended = endedBy(info);
    if (ended && isAnswer(info) && !this.#known.has(info.id) && this.#sent !== undefined) {
      this.session.response(this.#sent, ended);
      this.#sent = undefined;
    }
  }

  /** The last request is over; nothing happens where it was before. */
  givenUp(): void {
    this.#coming = undefined;
    if (this.#sent !== undefined) {
      this.session.response(this.#sent, { outcome: 'aborted' });
      this.#sent = undefined;
    }
  }

  /** Events may come after the next request. */
  #endBefore(given: readonly OpencodeMessage[]): void {
    answersIn(given).forEach(info => this.updated(info));
    this.givenUp();
  }

  #requireGoing(): void {
    if (this.#stopped !== undefined) {
      throw new StoppedError(`The agent was stopped. ${this.#stopped}`);
    }
  }

  #tellOnce(sentence: string): void {
    if (!this.#told.has(sentence)) {
      this.#told.add(sentence);
      this.#tell(sentence, 'warning');
    }
  }
}

function answersIn(messages: readonly OpencodeMessage[]): readonly MessageInfo[] {
  return messages.map(({ info }) => info).filter(isAnswer);
}

function isAnswer({ role, summary }: MessageInfo): boolean {
  return role === 'assistant' && summary !== true;
}

function modelOf(asked: MessageInfo | undefined): object {
  const { providerID: provider, modelID: model, variant } = asked?.model ?? {};
  return { provider, model, variant };
}

/** How long an answer may be stands in the parameters of each request. */
function limitsOf({ limit: { context, input } = {} }: OpencodeModel = {}): GivenLimits {
  return { ...(context !== undefined && { window: context }), ...(input !== undefined && { inputLimit: input }) };
}
