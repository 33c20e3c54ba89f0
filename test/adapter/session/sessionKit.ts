import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AgentSession } from '../../../adapter/agentSession.ts';
import { openProbedSession, type SessionProbes } from '../../../adapter/openProbedSession.ts';
import type { RequestInput, Sealed, SessionOptions } from '../../../adapter/sessionTypes.ts';
import { type LogFile, readLog } from '../../../local/logFile.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { EventData, SessionEventType } from '../../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { sha256 } from '../../protocol/lifecycle/lifecycleKit.ts';
import { deepFreeze, isDeepFrozen } from '../../protocol/request/vectorFile.ts';

/** A private folder that is gone after the test. */
export function homeOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cl-session-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The text that a hash of a request is of, written down once more. */
export function textOf({ config, system, tools, messages }: Sealed): string {
  const isEmpty = system === undefined || system === '';
  return JSON.stringify({
    config,
    ...(!isEmpty && { system }),
    ...(tools && tools.length > 0 && { tools }),
    messages,
  });
}

/** The state that a log's events fold to. */
export function foldOf(events: readonly LogEvent[]): SessionState {
  return events.reduce(reduce, initialState);
}

export const CONFIG: JsonObject = { model: 'm' };

/** A session whose requests are checked against its file as soon as they are sealed, and once more at its end. */
export class Checked {
  readonly session: AgentSession;
  /** Everything that this instance sealed. */
  readonly sealed: Sealed[] = [];
  readonly #hashes: boolean;
  #messages: readonly JsonObject[] = [];
  /** What the host had for each of them, where the test said it here. */
  #ofHost: readonly (string | undefined)[] = [];

  constructor(session: AgentSession, hashes: boolean) {
    this.session = session;
    this.#hashes = hashes;
  }

  /** Builds a request of deep-frozen fresh copies of these messages. */
  async request(messages: readonly JsonObject[], more: Partial<RequestInput> = {}): Promise<Sealed> {
    const { signal, ...values } = more;
    const input = deepFreeze(structuredClone({ messages, config: CONFIG, ...values }));
    const sealed = await this.session.buildRequest(signal ? { ...input, signal } : input);
    await this.check(sealed, messages);
    return sealed;
  }

  /** A request that was built elsewhere, of these messages of the host. */
  async check(sealed: Sealed, transcript?: readonly JsonObject[]): Promise<void> {
    const { messages, origins, hosts, hash } = sealed;
    assert.ok(isDeepFrozen(sealed), 'a sealed request is deep-frozen');
    assert.equal(origins.length, messages.length);
    const shown = hosts.filter(host => host !== undefined);
    assert.ok(
      shown.every((host, index) => index === 0 || host > (shown[index - 1] ?? host)),
      'a message of the host stands in the request once at most, in its order',
    );
    if (this.session.state.budget.edits.length === 0) {
      assert.equal(shown.length, (shown.at(-1) ?? -1) + 1, 'only an edit takes a message out');
    }
    assert.ok(origins.every((origin, index) => origin === undefined || origin === hosts[index]));
    assert.equal(hash, sha256(textOf(sealed)));
    const ofHost = hosts.map(host => JSON.stringify(transcript?.[host ?? -1]));
    for (const [index, message] of this.#messages.entries()) {
      if (JSON.stringify(message) !== JSON.stringify(messages[index])) {
        break;
      }
      // Two messages of the same size have the same tombstone.
      if (ofHost[index] === this.#ofHost[index]) {
        assert.equal(message, messages[index], 'a message that is as it was is the same object');
      }
    }
    this.#messages = messages;
    this.#ofHost = ofHost;
    this.sealed.push(sealed);
    checkFile(await this.file(), [sealed], this.#hashes);
  }

  /** The request of these messages, and its answer as far as the session is told. */
  async turn(messages: readonly JsonObject[], more: Partial<RequestInput> = {}): Promise<Sealed> {
    const sealed = await this.request(messages, more);
    this.session.response(sealed.requestSequence, { outcome: 'completed' });
    return sealed;
  }

  async file(): Promise<LogFile> {
    const file = await readLog(this.session.logFile);
    assert.equal(file.fault, undefined);
    return file;
  }

  /** Data of the file's events of one type. */
  async logged<Type extends SessionEventType>(type: Type): Promise<readonly EventData<Type>[]> {
    return dataOf((await this.file()).events, type);
  }

  async close(reason?: string): Promise<LogFile> {
    await this.session.close(reason);
    const file = await this.file();
    checkFile(file, this.sealed, this.#hashes);
    assert.deepEqual(
      stateToJson(this.session.state),
      stateToJson(foldOf(file.events)),
      'the state is the fold of the file',
    );
    return file;
  }
}

export function dataOf<Type extends SessionEventType>(
  events: readonly LogEvent[],
  type: Type,
): readonly EventData<Type>[] {
  return events.filter(event => event.type === type).map(({ data }) => data as unknown as EventData<Type>);
}

/** The log alone gives each request: the same text, and the same hash. */
export function checkFile({ events }: Pick<LogFile, 'events'>, sealed: readonly Sealed[], hashes = false): void {
  const history = new RequestHistory();
  for (const event of events) {
    history.append(event);
  }
  const logged = dataOf(events, 'request/sealed');
  for (const request of sealed) {
    const { requestSequence, hash } = request;
    const facts = logged[requestSequence - 1];
    assert.equal(facts?.requestSequence, requestSequence);
    assert.equal(facts.hash, hash);
    assert.equal(facts.bytes, Buffer.byteLength(textOf(request)));
    assert.equal(facts.messages, request.messages.length);
    const rebuilt = history.sealedText(requestSequence);
    if (hashes) {
      assert.equal((JSON.parse(rebuilt ?? '') as Sealed).messages.length, request.messages.length);
    } else {
      assert.equal(rebuilt, textOf(request));
    }
  }
}

/** Opens a session, without watchers and without counting unless the test wants them; closed and checked after the test. */
export async function checkedSession(
  t: TestContext,
  options: Partial<SessionOptions> = {},
  probes: SessionProbes = {},
): Promise<Checked> {
  const { config, ...others } = options;
  const session = await openProbedSession(
    {
      agent: 'test',
      folder: others.folder ?? homeOf(t),
      ...others,
      config: { announce: false, countTokens: false, crossCheck: true, ...config },
    },
    probes,
  );
  const checked = new Checked(session, config?.content === 'hashes');
  // The folder may be gone by then.
  t.after(() => session.close().catch(() => undefined));
  return checked;
}

/** Types of events, in order. */
export function typesOf(events: readonly LogEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}
