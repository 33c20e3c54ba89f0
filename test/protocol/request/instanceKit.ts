import { createHash } from 'node:crypto';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';
import { type Appended, appendedOf, type PlacedEntry, placeAppended } from '../../../protocol/request/appended.ts';
import { BlocksMessage, withBlocks } from '../../../protocol/request/blocksMessage.ts';
import type { IncrementalSha256 } from '../../../protocol/request/hashing.ts';
import type { RawRequestHeader } from '../../../protocol/request/header.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { headerChange } from '../../../protocol/request/recordHeader.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { sameJson } from '../../../protocol/request/sameJson.ts';
import { type SealedRequest, Sealer } from '../../../protocol/request/sealer.ts';
import { type PrefixContributor, SessionPrefix } from '../../../protocol/request/sessionPrefix.ts';
import { surfaceEdits } from '../../../protocol/request/surfaceEdits.ts';
import { endStep, injection, repairTail, startStep } from '../../../protocol/request/turns.ts';
import { deepFreeze } from './vectorFile.ts';
import { message } from './viewKit.ts';

function startSha256(hash = createHash('sha256')): IncrementalSha256 {
  return {
    update: piece => void hash.update(piece, 'utf8'),
    copy: () => startSha256(hash.copy()),
    digest: () => hash.digest('hex'),
  };
}

/** A request as it was sealed, for comparison with what the log gives. */
export interface Sent extends SealedRequest {
  readonly requestSequence: number;
  readonly stepStart: number;
  readonly hash: string;
}

export interface Input {
  readonly entries: readonly PlacedEntry[];
  readonly header?: Partial<RawRequestHeader>;
  /** The text of the blocks' message. */
  readonly blocks?: string | undefined;
  readonly userUnit?: boolean;
  readonly answerCalled?: boolean;
  readonly signal?: AbortSignal;
  /** Runs between the step's start and its header event. */
  readonly meanwhile?: () => void;
}

/** One instance of a session that is nothing but the rules of protocol/request, called in the order of the design. */
export class Instance {
  readonly events: LogEvent[] = [];
  readonly history = new RequestHistory();
  readonly sent: Sent[] = [];
  readonly prefix = new SessionPrefix<AbortSignal>();
  state: SessionState = initialState;
  readonly #sealer = new Sealer(() => startSha256());
  readonly #blocks = new BlocksMessage(text => message(text));
  readonly #appended: Appended[];
  #loggedHeader = false;

  /** Goes on with an earlier log, as it is read from disk. */
  constructor(contributors: readonly PrefixContributor<AbortSignal>[] = [], past: readonly LogEvent[] = []) {
    contributors.forEach(contributor => this.prefix.contribute(contributor));
    for (const event of JSON.parse(JSON.stringify(past)) as readonly LogEvent[]) {
      this.#take(event);
    }
    this.#appended = [...appendedOf(this.history.surface)];
    const openStep = this.state.step ? this.events.slice(this.state.step.seq) : [];
    repairTail(this.state, openStep).forEach(event => this.append(event));
  }

  append(event: NewEvent): number {
    const seq = this.events.length;
    this.#take(deepFreeze({ ...event, seq, time: 1000 + seq }) as unknown as LogEvent);
    return seq;
  }

  async request({ entries, header, blocks, userUnit, answerCalled, signal, meanwhile }: Input): Promise<Sent> {
    const prefix = await this.prefix.compose(signal);
    const view = placeAppended(entries, this.#appended, this.history.order);
    const requestSequence = this.history.requests + 1;
    const starts = startStep(this.state, {
      requestSequence,
      ...(userUnit && { userUnit: { kind: 'user' } }),
      ...(answerCalled !== undefined && { answerCalled }),
    });
    starts.slice(0, -1).forEach(event => this.append(event));
    surfaceEdits(this.history.surface, view).forEach(event => this.append(event));
    const [stepStart = -1] = starts.slice(-1).map(event => this.append(event));
    meanwhile?.();
    const messagePrefix = withBlocks(prefix, this.#blocks.of(blocks));
    const { config: given = { model: 'm' }, system, tools } = header ?? {};
    const logged = this.history.header?.config;
    const config = logged && this.#loggedHeader && sameJson(given, logged, 'unordered') ? logged : given;
    const change = headerChange(
      this.history.header,
      { loggedHeader: this.#loggedHeader },
      { config, system, tools, messagePrefix },
    );
    if (change) {
      this.append(change);
      this.#loggedHeader = true;
    }
    const request = {
      config,
      ...(system !== undefined && { system }),
      ...(tools !== undefined && { tools }),
      messages: Object.freeze([...messagePrefix, ...view.map(one => one.message)]),
    };
    const { hash, bytes } = this.#sealer.seal(request);
    const { length } = request.messages;
    this.append({
      type: 'request/sealed',
      data: { requestSequence, stepStart, hash, bytes, messages: length, changes: [] },
    });
    const sent = { ...request, requestSequence, stepStart, hash };
    this.sent.push(sent);
    return sent;
  }

  answered(answerCalled?: boolean, outcome: 'completed' | 'failed' = 'completed'): void {
    const known = answerCalled === undefined ? {} : { answerCalled };
    endStep(this.state, { requestSequence: this.sent.length, outcome, ...known }).forEach(event => this.append(event));
  }

  inject(text: string): void {
    const one: Appended = {
      message: message(text),
      key: `appended:${this.events.length}`,
      after: this.history.lastUnit,
      channel: 'inject',
      source: 'test',
    };
    this.#appended.push(one);
    const data = {
      message: one.message,
      units: [one.key],
      after: one.after,
      channel: 'inject',
      source: 'test',
    } as const;
    injection(this.state, { type: 'host/message', data, surfaceOp: 'append' }, { kind: 'plugin' }).forEach(event =>
      this.append(event),
    );
  }

  /** Types and reasons of the header events so far. */
  get headerEvents(): readonly string[] {
    return this.events.flatMap(({ type, data }) =>
      type === 'request/header'
        ? [(data as { reason: string }).reason]
        : type === 'request/header-delta'
          ? ['delta']
          : [],
    );
  }

  #take(event: LogEvent): void {
    this.state = reduce(this.state, event);
    this.history.append(event);
    this.events.push(event);
  }
}
