import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type GatewayOptions, type RunningGateway, startGateway } from '../../../../adapter/gateway/startGateway.ts';
import { type LogFile, readLog } from '../../../../local/logFile.ts';
import type { EventData, SessionEventType } from '../../../../protocol/log/sessionEvents.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import { RequestHistory } from '../../../../protocol/request/requestHistory.ts';
import type { Answer } from '../../../scriptedModel/answer.ts';
import { type ScriptedModel, startScriptedModel } from '../../../scriptedModel/server.ts';
import { inTime } from '../../../server/deadline.ts';
import type { Dialect, Said } from './dialects.ts';

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface AskOptions {
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A gateway in front of a scripted model, with a home and a project of its own; all of it ends with the test. */
export class GatewayHouse {
  readonly model: ScriptedModel;
  readonly home: string;
  readonly project: string;
  readonly notices: string[] = [];
  gateway: RunningGateway;
  readonly #options: Partial<GatewayOptions>;

  private constructor(model: ScriptedModel, home: string, project: string, options: Partial<GatewayOptions>) {
    this.model = model;
    this.home = home;
    this.project = project;
    this.#options = options;
    this.gateway = { address: '', hookAddress: '', port: 0, close: async () => {} };
  }

  static async open(
    t: Pick<TestContext, 'after'>,
    script: readonly Answer[],
    options: Partial<GatewayOptions> & { readonly files?: Readonly<Record<string, string>> } = {},
  ): Promise<GatewayHouse> {
    const { files = {}, ...others } = options;
    const model = await startScriptedModel(script);
    const base = mkdtempSync(join(tmpdir(), 'cl-gateway-'));
    const home = join(base, 'home');
    const project = join(base, 'project');
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(project);
    const house = new GatewayHouse(model, home, project, others);
    for (const [name, text] of Object.entries(files)) {
      house.write(name, text);
    }
    await house.start();
    t.after(async () => {
      await house.gateway.close();
      await model.close();
      rmSync(base, { recursive: true, force: true });
    });
    return house;
  }

  /** A file of the project; gives its whole path. */
  write(name: string, text: string): string {
    const path = join(this.project, name);
    writeFileSync(path, text);
    return path;
  }

  async start(): Promise<void> {
    const upstream = this.model.origin;
    this.gateway = await startGateway({
      port: 0,
      upstreams: { anthropic: upstream, openai: upstream, gemini: upstream },
      folder: this.home,
      cwd: this.project,
      notice: sentence => this.notices.push(sentence),
      ...this.#options,
      config: { announce: false, countTokens: false, crossCheck: true, ...this.#options.config },
    });
  }

  async restart(): Promise<void> {
    await this.gateway.close();
    await this.start();
  }

  /** An agent's request, and the whole answer to it. */
  ask(
    dialect: Dialect,
    said: readonly Said[],
    options: AskOptions & { readonly more?: JsonObject } = {},
  ): Promise<Asked> {
    return this.send(dialect, JSON.stringify(dialect.body(said, options.more)), options);
  }

  send(dialect: Dialect, body: string | Uint8Array<ArrayBuffer>, options: AskOptions = {}): Promise<Asked> {
    const { session = 's-1', headers, signal } = options;
    const asked = fetch(`${this.gateway.address}/s/${session}/${dialect.provider}${dialect.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...dialect.headers(session), ...headers },
      body,
      ...(signal && { signal }),
    }).then(async answer => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
    return inTime(asked, 'the answer');
  }

  async hook(message: object, name = 'claude-instructions'): Promise<string> {
    const answer = await fetch(`${this.gateway.hookAddress}/_hook/${name}`, {
      method: 'POST',
      body: JSON.stringify(message),
    });
    assert.equal(answer.status, 200);
    return answer.text();
  }

  /** Bodies that reached the model, in order. */
  get bodies(): readonly string[] {
    return this.model.requests.map(({ body }) => body);
  }

  lastBody(): string {
    return this.bodies.at(-1) ?? '';
  }

  /** Logs of all sessions so far, by session id. */
  async logs(): Promise<ReadonlyMap<string, LogFile>> {
    const folder = join(this.home, 'sessions');
    const logs = new Map<string, LogFile>();
    for (const name of readdirSync(folder).filter(file => file.endsWith('.jsonl'))) {
      const log = await readLog(join(folder, name));
      assert.equal(log.fault, undefined);
      logs.set(log.header?.id ?? '', log);
    }
    return logs;
  }

  async logged<Type extends SessionEventType>(type: Type, session = 's-1'): Promise<readonly EventData<Type>[]> {
    const log = (await this.logs()).get(session);
    assert.ok(log, `there is a log of session ${session}`);
    return log.events.filter(event => event.type === type).map(({ data }) => data as unknown as EventData<Type>);
  }

  /** The log alone gives each body as it reached the model, and each receipt is one of what reached it. */
  async checkLog(session = 's-1', requests = this.model.requests): Promise<void> {
    const log = (await this.logs()).get(session);
    assert.ok(log, `there is a log of session ${session}`);
    const history = new RequestHistory();
    for (const event of log.events) {
      history.append(event);
    }
    assert.equal(history.requests, requests.length);
    const receipts = await this.logged('request/receipt', session);
    for (const [place, { body, bytes }] of requests.entries()) {
      assert.equal(history.bodyText(place + 1), body);
      const receipt = receipts.find(({ requestSequence }) => requestSequence === place + 1);
      assert.deepEqual(
        [receipt?.result, receipt?.sha256],
        ['matched', createHash('sha256').update(bytes).digest('hex')],
      );
    }
  }

  /** All bytes of all files below the home folder. */
  everything(): Buffer {
    const read = (folder: string): readonly Buffer[] =>
      readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? read(path) : entry.isFile() ? [Buffer.from(entry.name), readFileSync(path)] : [];
      });
    return Buffer.concat(read(this.home));
  }
}
