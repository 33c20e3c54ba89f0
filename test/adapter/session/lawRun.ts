import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import { PairingError } from '../../../adapter/requestErrors.ts';
import type { RequestInput, SessionOptions } from '../../../adapter/sessionTypes.ts';
import { DEFAULT_POLICY } from '../../../protocol/lifecycle/defaultPolicy.ts';
import { seedTwoFormat } from '../../../protocol/lifecycle/seedTwoFormat.ts';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { pairingFault } from '../../../protocol/request/pairing.ts';
import { assistant, call, resultBlock, results, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import {
  type Model,
  modelControl,
  modelDiscard,
  modelLoad,
  modelView,
  newModel,
} from '../../protocol/lifecycle/lifecycleModel.ts';
import type { Step } from './lawSteps.ts';
import { type Checked, checkedSession, foldOf, homeOf } from './sessionKit.ts';

const INJECTED = 'INJECTED';

/** A host with its real session and, beside it, the model of both. */
export class LawRun {
  readonly #t: TestContext;
  readonly #options: Partial<SessionOptions>;
  readonly #model: Model;
  #checked: Checked;
  #sessions = 1;
  #serial = 0;
  #requests = 0;
  #injected: string[] = [];
  #header: Partial<RequestInput> = {};

  static async start(t: TestContext, options: Partial<SessionOptions>): Promise<LawRun> {
    const folder = homeOf(t);
    const checked = await checkedSession(t, { ...options, folder, sessionId: 's1' });
    return new LawRun(t, { ...options, folder, sessionId: 's1' }, checked);
  }

  private constructor(t: TestContext, options: Partial<SessionOptions>, checked: Checked) {
    this.#t = t;
    this.#options = { ...options };
    this.#checked = checked;
    this.#model = newModel((options.policy ?? DEFAULT_POLICY).rules);
  }

  async take(step: Step): Promise<void> {
    const { session } = this.#checked;
    const model = this.#model;
    switch (step.does) {
      case 'load':
        session.loadSource(step);
        return modelLoad(model, step.class, step.source, step.text);
      case 'control':
        session.control({ ...step, source: 'x' });
        return modelControl(model, step.class, 'x', step.text);
      case 'discard':
        session.discard(step.id, { source: 'editor', class: 'editor', trigger: 'watcher' });
        return modelDiscard(model, step.id);
      case 'say':
        return this.#say(user(step.text));
      case 'tools': {
        const calls = step.texts.map((_, place) => (step.sameIds ? `c${place}` : `c${place}-${this.#serial++}`));
        this.#say(call(...calls));
        return this.#say(results(...step.texts.map((text, place) => resultBlock(calls[place] ?? '', text))));
      }
      case 'turn':
        return this.#turn(step);
      case 'compact':
        model.transcript = [
          { message: user(step.text), failed: false },
          ...model.transcript.slice(Math.max(0, model.transcript.length - step.keep)),
        ];
        return;
      case 'undo':
        model.transcript = model.transcript.slice(0, Math.max(0, model.transcript.length - step.drop));
        return;
      case 'header':
        this.#header = {
          system: step.system,
          tools: step.tools.map(name => ({ name, description: `${name} of ${step.model}` })),
          config: { model: step.model },
        };
        return;
      case 'inject': {
        const text = `${INJECTED} ${this.#serial++}`;
        session.inject(user(text), 'plugin:x', step.channel);
        this.#injected.push(text);
        return;
      }
      case 'resume':
        return this.#reopen(this.#options, true);
      case 'crash':
        return this.#crash();
      case 'fork': {
        const { sessionId } = this.#options;
        this.#sessions++;
        return this.#reopen({ ...this.#options, sessionId: `s${this.#sessions}`, forkedFrom: sessionId ?? '' }, true);
      }
      case 'request':
        await this.#request();
        return;
      case 'refuse':
        await assert.rejects(session.buildRequest({ messages: [1] as never, config: { model: 'm' } }));
        return;
    }
  }

  get checked(): Checked {
    return this.#checked;
  }

  /** What the host has, where its tool calls pair. */
  get transcript(): readonly JsonObject[] {
    return this.#model.transcript.map(({ message }) => message);
  }

  async end(): Promise<void> {
    await this.#request();
    await this.#checked.close();
    rmSync(this.#options.folder ?? '', { recursive: true, force: true });
  }

  /** Whether there was one: it is refused where tool calls do not pair. */
  async #request(): Promise<boolean> {
    const transcript = this.#model.transcript.map(({ message }) => message);
    const expected = modelView(this.#model);
    const described = transcript.map(message => {
      const { calls, units } = seedTwoFormat.describe(message);
      return { calls, answers: units.flatMap(({ answers }) => answers ?? []) };
    });
    if (pairingFault(described)) {
      await assert.rejects(this.#checked.request(transcript, this.#header), PairingError);
      this.#checkState();
      return false;
    }
    const { messages, origins, requestSequence } = await this.#checked.request(transcript, this.#header);
    this.#requests++;
    assert.equal(requestSequence, this.#requests);
    const blocks = expected.blocks === undefined ? [] : [user(expected.blocks)];
    const injected = messages.filter(isInjected);
    const rest = messages.filter(message => !isInjected(message));
    assert.equal(JSON.stringify(rest), JSON.stringify([...blocks, ...expected.messages]));
    assert.deepEqual(injected.map(textOf).toSorted(), this.#injected.toSorted());
    const hosts = origins.flatMap(origin => origin ?? []);
    assert.deepEqual(
      hosts,
      hosts.toSorted((a, b) => a - b),
    );
    for (const [index, origin] of origins.entries()) {
      if (origin !== undefined) {
        assert.equal(JSON.stringify(messages[index]), JSON.stringify(transcript[origin]));
      }
    }
    this.#checkState();
    return true;
  }

  #checkState(): void {
    const { lifecycle } = this.#checked.session.state;
    const admitted = lifecycle.ephemerals.toArray().filter(one => one.admitted);
    const consumed = lifecycle.ephemerals.toArray().filter(one => one.consumed);
    assert.deepEqual([admitted.length, consumed.length], [this.#model.admitted.length, this.#model.consumed.length]);
  }

  /** A request with its answer; after one that failed the host asks again at once. */
  async #turn({ outcome, text, kept }: Step & { readonly does: 'turn' }): Promise<void> {
    if (!(await this.#request())) {
      return;
    }
    if (outcome !== 'unknown') {
      const usage = { input: (this.#requests * 7919) % 500, output: 1 };
      this.#checked.session.response(this.#requests, { outcome, usage });
    }
    const failed = outcome === 'failed' || outcome === 'aborted';
    if (kept || !failed) {
      this.#model.transcript.push({ message: assistant(`answer ${this.#serial++}\n${text}`), failed });
    }
    if (failed) {
      await this.#request();
    }
  }

  async #reopen(options: Partial<SessionOptions>, isClosed: boolean): Promise<void> {
    const before = this.#checked;
    if (isClosed) {
      await before.close();
    }
    const { sealed } = before;
    Object.assign(this.#options, options);
    this.#checked = await checkedSession(this.#t, options);
    assert.deepEqual(this.#checked.session.notices, []);
    this.#checked.sealed.push(...sealed);
    const { events } = await this.#checked.file();
    assert.deepEqual(stateToJson(this.#checked.session.state), stateToJson(foldOf(events)));
  }

  /** The process dies now: its file is as it is, and nobody holds its lock. */
  async #crash(): Promise<void> {
    const { logFile } = this.#checked.session;
    const folder = homeOf(this.#t);
    mkdirSync(join(folder, 'sessions'), { mode: 0o700 });
    copyFileSync(logFile, join(folder, 'sessions', basename(logFile)));
    const old = this.#checked.session;
    await this.#reopen({ ...this.#options, folder }, false);
    await old.close();
  }

  #say(message: JsonObject): void {
    this.#model.transcript.push({ message, failed: false });
  }
}

function textOf({ content }: JsonObject): string {
  return ((content as readonly JsonObject[])[0]?.['text'] ?? '') as string;
}

function isInjected(message: JsonObject): boolean {
  return message['role'] === 'user' && textOf(message).startsWith(INJECTED);
}
