import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DEFAULT_POLICY } from '../../../protocol/lifecycle/defaultPolicy.ts';
import { type LifecycleEventType, lifecycleEvents } from '../../../protocol/lifecycle/lifecycleEvents.ts';
import { LifecycleSession } from '../../../protocol/lifecycle/lifecycleSession.ts';
import type { LifecycleState } from '../../../protocol/lifecycle/lifecycleState.ts';
import type { MessageFormat } from '../../../protocol/lifecycle/messageFormat.ts';
import type { Policy, PolicyRule } from '../../../protocol/lifecycle/policy.ts';
import { EMPTY_LIFECYCLE, reduceLifecycle } from '../../../protocol/lifecycle/reduceLifecycle.ts';
import { seedTwoFormat } from '../../../protocol/lifecycle/seedTwoFormat.ts';
import type { ReadWork } from '../../../protocol/lifecycle/unit.ts';
import type { ViewEntry } from '../../../protocol/lifecycle/view.ts';
import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { deepFreeze } from '../request/vectorFile.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const textBlock = (text: string): JsonObject => ({ type: 'text', text });
export const user = (text: string): JsonObject => ({ role: 'user', content: [textBlock(text)] });
export const assistant = (text: string): JsonObject => ({ role: 'assistant', content: [textBlock(text)] });
export const call = (...ids: readonly string[]): JsonObject => ({
  role: 'assistant',
  content: ids.map(id => ({ type: 'tool-call', id, name: 'bash', arguments: '{}' })),
});
export const resultBlock = (id: string, text: string): JsonObject => ({
  type: 'tool-result',
  toolCallId: id,
  content: [textBlock(text)],
  isError: false,
});
export const results = (...blocks: readonly JsonObject[]): JsonObject => ({ role: 'user', content: blocks });
export const result = (id: string, text: string): JsonObject => results(resultBlock(id, text));

/** A source that defines one block. */
export const definition = (id: string, body = `body of ${id}`): string =>
  `<!--BLOCK_ID:${id}-->\n${body}\n<!--/BLOCK_ID:${id}-->\n`;
export const discardLine = (id: string): string => `<!--DISCARD_BLOCK:${id}-->`;
export const EPHEMERAL = '<!--ephemeral-->\nsecret';
export const tombstoneOf = (bytes: number): string =>
  `[EPHEMERAL:Output omitted after consumption;original_bytes=${bytes}]`;
/** Of the structured content of `user(text)` and `result(id, text)`. */
export const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify([textBlock(text)]));

export const policyOf = (...rules: readonly PolicyRule[]): Policy => ({ rules });

interface RunOptions {
  readonly policy?: Policy;
  readonly format?: MessageFormat;
  readonly work?: ReadWork;
}

/** A request as a test sees it. */
export interface Shown {
  readonly messages: readonly JsonObject[];
  readonly entries: readonly ViewEntry[];
  readonly blocks: string | undefined;
}

/** A session with a log, of which it keeps what an adapter would. Everything handed over is deep-frozen. */
export class Run {
  readonly session: LifecycleSession;
  readonly events: LogEvent[];
  /** The log takes no events. */
  isFull = false;
  readonly #options: RunOptions;
  readonly #logged = new Map<string, boolean>();
  #state: LifecycleState = EMPTY_LIFECYCLE;
  #sequence = 1;

  constructor(options: RunOptions = {}, past: readonly LogEvent[] = []) {
    this.#options = options;
    this.events = [...past];
    for (const event of past) {
      this.#state = reduceLifecycle(this.#state, event);
      this.#sequence += event.type === 'request/sealed' ? 1 : 0;
    }
    this.session = new LifecycleSession({
      policy: options.policy ?? DEFAULT_POLICY,
      format: options.format ?? seedTwoFormat,
      sha256,
      log: {
        state: () => this.#state,
        append: ({ type, data }) => {
          if (this.isFull) {
            throw new Error('the disk is full');
          }
          assert.equal(lifecycleEvents[type].fault(data, 'data'), undefined);
          this.#append(type, data);
        },
        requestSequence: () => this.#sequence,
      },
      ...(options.work && { work: options.work }),
    });
    if (past.length > 0) {
      this.session.remember(past);
    }
    this.#append('session/opened', { reason: past.length > 0 ? 'resumed' : 'new' });
  }

  get state(): LifecycleState {
    return this.#state;
  }

  load(source: string, text: string, sourceClass: PolicyRule['class'] = 'context-file'): readonly string[] {
    return this.session.loadSource({ source, class: sourceClass, text }).map(({ outcome }) => outcome);
  }

  control(text: string, sourceClass: PolicyRule['class'] = 'plugin', source = 'a-plugin'): readonly string[] {
    return this.session.control({ source, class: sourceClass, text }).map(({ outcome }) => outcome);
  }

  /** Builds and logs the next request; `structuredClone` makes fresh copies, as agents do. */
  request(...messages: readonly JsonObject[]): Shown {
    const entries = this.session.view(deepFreeze(structuredClone(messages)));
    const blocks = this.session.blocksText();
    for (const { message, keys, failed = false } of entries) {
      const units = keys.filter(key => this.#logged.get(key) !== failed);
      if (units.length > 0) {
        this.#append('host/message', { message, units: keys, ...(failed && { failed }) });
      }
      for (const key of keys) {
        this.#logged.set(key, failed);
      }
    }
    this.#append('request/sealed', { requestSequence: this.#sequence });
    this.#sequence++;
    return { messages: entries.map(({ message }) => message), entries, blocks };
  }

  /** The last request has ended. */
  ended(outcome: 'completed' | 'failed' | 'aborted'): void {
    this.session.ended(this.#sequence - 1, outcome);
    this.#append('step/end', { requestSequence: this.#sequence - 1, outcome });
  }

  /** What an adapter injects is logged with the unit that it follows. */
  injected(text: string): void {
    this.#append('host/message', { message: user(text), units: [`injected:${text}`], after: '' });
  }

  /** Another instance goes on with a copy of the log, as after a resume or in a fork. */
  resumed(options: RunOptions = this.#options): Run {
    return new Run(options, deepFreeze(JSON.parse(JSON.stringify(this.events)) as LogEvent[]));
  }

  /** Data of the logged events of one type. */
  audits(type: LifecycleEventType): readonly (JsonObject & { readonly time: number })[] {
    return this.events
      .filter(event => event.type === type)
      .map(({ data, time }) => ({ ...(data as JsonObject), time }));
  }

  #append(type: string, data: Json): void {
    const seq = this.events.length;
    const event = deepFreeze({ type, seq, time: 1000 + seq, data: structuredClone(data) }) as LogEvent;
    this.#state = reduceLifecycle(this.#state, event);
    this.events.push(event);
  }
}
