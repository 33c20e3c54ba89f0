import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import type { LogEvent, SurfaceOp } from '../../../protocol/request/logEvent.ts';
import { BudgetMaker } from './budgetMaker.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const HASH = sha256('');

/** Gives events the place and time that they have in a log, as a file holds them: plain JSON that nobody else has. */
export function logOf(events: readonly NewEvent[], first = 0): readonly LogEvent[] {
  const placed = events.map((event, index) => ({ ...event, seq: first + index, time: 1000 + first + index }));
  return JSON.parse(JSON.stringify(placed)) as LogEvent[];
}

export const opened: NewEvent = {
  type: 'session/opened',
  data: { reason: 'new', agent: 'test', format: 'seed-2', content: 'full', policy: { rules: [] } },
};

const amount = { tokens: 1, origin: 'estimated' } as const;
const sizes = {
  system: amount,
  tools: amount,
  prefix: amount,
  messages: amount,
  unattributed: { tokens: -1, origin: 'estimated' },
  total: amount,
} as const;

/** All content of a generated session begins so, and nothing else does. */
const SECRET = 'secret-';

/** The contents of a value that was made here. */
export function secretsIn(value: unknown): readonly string[] {
  return JSON.stringify(value).match(/secret-[a-z0-9-]+/g) ?? [];
}

/** What a session has come to while its events are made. */
class Maker {
  readonly events: NewEvent[] = [];
  readonly #times: number[] = [];
  readonly #blocks = new Map<string, 'active' | 'discarded'>();
  readonly #sources = new Set<string>();
  readonly #admitted: number[] = [];
  readonly #bodies = new Set<number>();
  #ephemerals = 0;
  #requests = 0;
  #turn = 0;
  #step = 0;
  #open: 'nothing' | 'turn' | 'step' | 'sealed' = 'nothing';
  #stepStart = 0;
  #surface: number[] = [];
  #header = false;
  readonly #budgetEvents = new BudgetMaker(SECRET);

  constructor() {
    this.#add(opened);
  }

  /** Adds one or a few events that may stand here; `choice` says which, `detail` how. */
  step(choice: number, detail: number): void {
    const acts = [
      () => this.#loadSource(detail),
      () => this.#activate(detail),
      () => this.#discard(detail),
      () => this.#ephemeral(detail),
      () => this.#message(detail),
      () => this.#advance(detail),
      () => this.#advance(detail),
      () => this.#receipt(detail),
      () => this.#other(detail),
      () => this.#again(detail),
      () => this.#budget(detail),
    ];
    acts[choice % acts.length]?.();
  }

  log(): readonly LogEvent[] {
    return logOf(this.events).map((event, index) => ({ ...event, time: this.#times[index] ?? 0 }));
  }

  /** The clock goes back now and then. */
  #add(event: NewEvent, detail = 0): void {
    this.#times.push(1_700_000_000_000 + this.events.length * 10 - (detail % 5) * 20);
    this.events.push(event);
  }

  #audit(blockId: string, source = 'AGENTS.md') {
    const trigger = 'load' as const;
    return { blockId, source, trigger, class: 'context-file' as const, rule: 'r', requestSequence: this.#requests + 1 };
  }

  #loadSource(detail: number): void {
    const source = `file-${detail % 3}.md`;
    if (this.#sources.has(source)) {
      this.#add({
        type: 'source/drifted',
        data: { source, class: 'context-file', sha256: HASH, bytes: detail, drifted: detail % 2 === 0 },
      });
      return;
    }
    this.#sources.add(source);
    const problems = [{ code: 'nested-block', line: 3, blockId: 'x' }];
    this.#add({
      type: 'source/loaded',
      data: { source, class: 'context-file', sha256: HASH, bytes: 5, blocks: ['a'], problems },
    });
  }

  #activate(detail: number): void {
    const id = ['a', 'b', '__proto__', 'constructor'][detail % 4] ?? 'a';
    const audit = { ...this.#audit(id, `file-${detail % 3}.md`), line: 1 };
    if (this.#blocks.has(id)) {
      this.#add({ type: 'block/conflict', data: { ...audit, winner: { source: 'file-0.md', line: 1 } } }, detail);
      return;
    }
    this.#blocks.set(id, 'active');
    const text = `${SECRET}block-${detail}`;
    this.#add({ type: 'block/activated', data: { ...audit, endLine: 3, bytes: 9, sha256: HASH, text } }, detail);
  }

  #discard(detail: number): void {
    const id = ['a', 'b', '__proto__', 'nobody'][detail % 4] ?? 'a';
    const status = this.#blocks.get(id);
    const data = { ...this.#audit(id), ...(detail % 2 === 0 && { connection: 'c1' }) };
    if (detail % 5 === 4) {
      this.#add({ type: 'discard/denied', data });
    } else if (status === 'active') {
      this.#blocks.set(id, 'discarded');
      this.#add({ type: 'block/discarded', data });
    } else {
      this.#add({ type: status ? 'discard/repeated' : 'discard/unknown', data });
    }
  }

  #ephemeral(detail: number): void {
    const ordinal = this.#admitted.shift();
    const base = (place: number) => ({
      ordinal: place,
      unit: `tool:${place}`,
      source: 'tool:bash',
      class: 'tool-result' as const,
      rule: 'r',
      bytes: 100,
      requestSequence: this.#requests + 1,
    });
    if (ordinal !== undefined && detail % 3 === 0) {
      const consumed = { ...base(ordinal), trigger: 'assistant-response' as const, tombstoneBytes: 60 };
      this.#add({ type: 'ephemeral/consumed', data: consumed });
      return;
    }
    if (ordinal !== undefined) {
      this.#admitted.unshift(ordinal);
    }
    this.#admitted.push(this.#ephemerals);
    this.#add({ type: 'ephemeral/admitted', data: base(this.#ephemerals++) });
  }

  #message(detail: number): void {
    const seq = this.events.length;
    const content = `${SECRET}message-${detail}`;
    const [start] = this.#surface;
    const replaces = detail % 4 === 3 && start !== undefined;
    if (replaces) {
      this.#surface = this.#surface.slice(1);
    }
    this.#surface.push(seq);
    const blocks = [{ type: 'text', text: content }];
    const surfaceOp: SurfaceOp = replaces ? { op: 'replace', start, end: start } : 'append';
    const surface = { surfaceOp, ...(replaces && { sourceEventSeqs: [start] }) };
    const source = { kind: 'user' };
    const events: readonly NewEvent[] = [
      { type: 'host/message', data: { message: { role: 'user', content }, units: ['u'] }, ...surface },
      { type: 'host/message', data: { message: { content, extra: [content] }, units: [] }, ...surface },
      { type: 'user/message', data: { content: blocks, source }, ...surface },
      { type: 'assistant/message', data: { content: blocks }, ...surface },
      { type: 'tool/result', data: { callId: 'c', content: [...blocks, ...blocks], isError: false }, ...surface },
      { type: 'context/message', data: { content: blocks, source }, ...surface },
      { type: 'steering/message', data: { content: [], source }, ...surface },
    ];
    const event = events[detail % events.length];
    if (event) {
      this.#add(event, detail);
    }
  }

  #advance(detail: number): void {
    const place = { turn: this.#turn, step: this.#step };
    if (this.#open === 'nothing') {
      this.#turn++;
      this.#step = 0;
      this.#open = 'turn';
      this.#add({ type: 'turn/start', data: { turn: this.#turn, trigger: { kind: 'message', source: 'user' } } });
    } else if (this.#open === 'turn' && detail % 3 > 0) {
      this.#step++;
      this.#open = 'step';
      this.#stepStart = this.events.length;
      const sequence = detail % 2 === 0 ? { requestSequence: this.#requests + 1 } : {};
      this.#add({ type: 'step/start', data: { turn: this.#turn, step: this.#step, ...sequence } });
    } else if (this.#open === 'turn') {
      this.#open = 'nothing';
      this.#add({ type: 'turn/end', data: { turn: this.#turn, reason: 'completed' } });
    } else if (this.#open === 'step' && detail % 5 > 0) {
      this.#open = 'sealed';
      this.#headerEvent(detail);
      this.#seal();
    } else {
      const requestSequence = this.#open === 'sealed' && detail % 2 === 0 ? { requestSequence: this.#requests } : {};
      this.#open = 'turn';
      this.#add({
        type: 'step/end',
        data: { ...place, ...requestSequence, outcome: 'completed', usage: { input: 5 } },
      });
    }
  }

  #headerEvent(detail: number): void {
    const secret = `${SECRET}header-${detail}`;
    const tool = { name: 'dig', description: secret };
    const prefix = [{ role: 'user', content: secret }];
    if (!this.#header) {
      this.#header = true;
      const config = { model: 'm', long: secret.repeat(20) };
      const header = { config, system: secret, tools: [tool], messagePrefix: prefix };
      this.#add({ type: 'request/header', data: { header, reason: 'initial' } });
      return;
    }
    const deltas = [
      { system: { keepStart: 1, keepEnd: 0, insert: [secret] } },
      { system: { replace: [{ text: secret }] } },
      { system: { replace: '' } },
      { tools: { added: [tool], removed: ['rake'], changed: [{ type: 'function', function: tool }] } },
      { config: { model: 'n', list: [secret.repeat(20)] } },
      { messagePrefix: prefix },
    ];
    this.#add({ type: 'request/header-delta', data: deltas[detail % deltas.length] ?? {} });
  }

  #seal(): void {
    this.#requests++;
    this.#add({
      type: 'request/sealed',
      data: {
        requestSequence: this.#requests,
        stepStart: this.#stepStart,
        hash: HASH,
        bytes: 10,
        messages: 1,
        // Logs of before do not say it.
        ...(this.#requests % 2 === 0 && { prefixMessages: 1 }),
        sizes,
        price: {
          divergence: { part: 'messages', index: 0, offset: 5 },
          rewritten: amount,
          freed: amount,
          breakEven: 2,
        },
        changes: [{ part: 'prefix', causes: [0] }],
      },
    });
  }

  #receipt(detail: number): void {
    if (this.#requests > 0) {
      const result = (['matched', 'mismatch', 'quoted', 'not-reported'] as const)[detail % 4] ?? 'matched';
      const requestSequence = (detail % this.#requests) + 1;
      this.#body(requestSequence, detail);
      this.#add({ type: 'request/receipt', data: { requestSequence, result, sha256: HASH, evidence: 'whole body' } });
    }
  }

  #body(requestSequence: number, detail: number): void {
    if (this.#bodies.has(requestSequence)) {
      return;
    }
    this.#bodies.add(requestSequence);
    const insert = [`${SECRET}body-${detail}`, { part: 'system' }, { messages: [0, 1] }] as const;
    const compressed = { encoding: 'zstd', decoded: { bytes: 20, sha256: HASH } };
    this.#add({
      type: 'request/body',
      data: {
        requestSequence,
        bytes: 10,
        sha256: HASH,
        ...(detail % 2 === 0 && compressed),
        ...(detail % 3 > 0 && { pieces: { keepStart: 0, keepEnd: 0, insert } }),
      },
      ignorable: true,
    });
  }

  #other(detail: number): void {
    const secret = `${SECRET}other-${detail}`;
    const place = { turn: 1, step: 1 };
    const events: readonly NewEvent[] = [
      { type: 'session/problem', data: { code: 'drift', sentence: 'A source has drifted.' } },
      { type: 'log/torn', data: { bytes: 7 } },
      { type: 'block/denied', data: this.#audit('a', 'README.md') },
      { type: 'discard/overflow', data: { source: 's', class: 'user', rest: 3, requestSequence: this.#requests + 1 } },
      { type: 'assistant/chunk', data: { ...place, chunk: { text: secret } } },
      { type: 'tool/call', data: { ...place, callId: 'c', name: 'bash', arguments: `{"command":"${secret}"}` } },
      { type: 'prompt/blocked', data: { content: secret, reason: secret } },
      { type: 'todo/write', data: { todos: [secret] } },
      // As a newer version might write it.
      { type: 'future/thing', data: { text: secret }, ignorable: true } as unknown as NewEvent,
    ];
    const event = events[detail % events.length];
    if (event) {
      this.#add(event, detail);
    }
  }

  /** Seed 3's layer, of which one event of each kind is as good as another. */
  #budget(detail: number): void {
    for (const event of this.#budgetEvents.take(detail, this.#requests + 1)) {
      this.#add(event, detail);
    }
  }

  #again(detail: number): void {
    if (detail % 3 === 0) {
      this.#add({ type: 'session/closed', data: {} });
    }
    if (detail % 3 < 2) {
      this.#add({ ...opened, data: { ...opened.data, reason: 'resumed' } } as NewEvent);
      this.#open = 'nothing';
    }
  }
}

/** The events of a session in which anything happened, as they stand in its log. */
export const sessions: fc.Arbitrary<readonly LogEvent[]> = fc
  .array(fc.tuple(fc.nat(1000), fc.nat(1000)), { maxLength: 60, size: 'max' })
  .map(steps => {
    const maker = new Maker();
    for (const [choice, detail] of steps) {
      maker.step(choice, detail);
    }
    return maker.log();
  });

/** One long session, the same each time. */
export function longSession(length: number): readonly LogEvent[] {
  const maker = new Maker();
  let random = 7;
  while (maker.events.length < length) {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    maker.step(random >> 8, random >> 12);
  }
  return maker.log().slice(0, length);
}
