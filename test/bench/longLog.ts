import { createHash } from 'node:crypto';
import { DEFAULT_POLICY } from '../../protocol/lifecycle/defaultPolicy.ts';
import {
  type EventData,
  LOG_VERSION,
  type LogHeader,
  type SessionEventType,
} from '../../protocol/log/sessionEvents.ts';
import type { LogEvent, SurfaceOp } from '../../protocol/request/logEvent.ts';

export const header: LogHeader = { version: LOG_VERSION, id: 'bench', agent: 'bench', created: 0 };

const HASH = createHash('sha256').update('').digest('hex');
/** Messages of a view before its host compacts it to one summary and the newest. */
const LONGEST_VIEW = 2_000;

export interface LongLog {
  readonly events: readonly LogEvent[];
  /** `seq`s of the `step/start`s. */
  readonly steps: readonly number[];
}

/** A log of at least so many events, as its file holds it: nothing is frozen and nothing shared. */
class LogMaker {
  readonly events: LogEvent[] = [];
  readonly steps: number[] = [];
  readonly #view: number[] = [];
  #ephemerals = 0;
  #turn = 0;

  constructor() {
    const policy = JSON.parse(JSON.stringify(DEFAULT_POLICY)) as EventData<'session/opened'>['policy'];
    this.add('session/opened', { reason: 'new', agent: 'bench', format: 'seed-2', content: 'full', policy });
    this.load('user.md', ['rules', 'style']);
  }

  add<Type extends SessionEventType>(type: Type, data: EventData<Type>, surfaceOp?: SurfaceOp): number {
    const seq = this.events.length;
    this.events.push(JSON.parse(JSON.stringify({ type, seq, time: seq, data, surfaceOp })) as LogEvent);
    return seq;
  }

  load(source: string, blocks: readonly string[]): void {
    this.add('source/loaded', { source, class: 'context-file', sha256: HASH, bytes: 1_000, blocks, problems: [] });
    for (const [index, blockId] of blocks.entries()) {
      const place = { line: 10 * index + 1, endLine: 10 * index + 9 };
      const text = `<!--BLOCK_ID:${blockId}-->\nKeep this.\n<!--/BLOCK_ID:${blockId}-->\n`;
      this.add('block/activated', {
        ...this.#audit(blockId, source),
        ...place,
        bytes: text.length,
        sha256: HASH,
        text,
      });
    }
  }

  conflict(blockId: string, source: string): void {
    this.add('block/conflict', { ...this.#audit(blockId, source), winner: { source: 'user.md', line: 1 } });
  }

  discard(blockId: string): void {
    this.add('block/discarded', { ...this.#audit(blockId, 'plugin'), class: 'plugin' });
  }

  /** A tool result that is shown once. */
  ephemeral(): void {
    const ordinal = this.#ephemerals++;
    const { requestSequence } = this.#audit('', '');
    const facts = { ordinal, unit: `id:call-${ordinal}`, source: 'tool:bash', class: 'tool-result' } as const;
    const more = { rule: 'tool-result may be ephemeral', bytes: 5_000, requestSequence };
    this.add('ephemeral/admitted', { ...facts, ...more });
    this.add('ephemeral/consumed', { ...facts, ...more, trigger: 'assistant-response', tombstoneBytes: 70 });
  }

  /** Four requests, each with three new messages; a tombstone in each turn, and a compaction now and then. */
  turn(between: () => void = () => this.ephemeral()): void {
    const turn = ++this.#turn;
    this.add('turn/start', { turn, trigger: { kind: 'message' } });
    for (let step = 1; step <= 4; step++) {
      for (let message = 0; message < 3; message++) {
        this.#view.push(this.#say(`message ${this.events.length} `.repeat(8), 'append'));
      }
      if (step === 2) {
        between();
        this.#replace(this.#view.length - 3, this.#view.length - 3, '[EPHEMERAL]');
      }
      if (this.#view.length > LONGEST_VIEW) {
        this.#replace(0, LONGEST_VIEW - 500, 'summary');
      }
      this.#request(turn, step);
    }
    this.add('turn/end', { turn, reason: { kind: 'completed' } });
  }

  #request(turn: number, step: number): void {
    const requestSequence = this.steps.length + 1;
    const stepStart = this.add('step/start', { turn, step, requestSequence });
    this.steps.push(stepStart);
    if (requestSequence === 1) {
      this.add('request/header', { header: { config: { model: 'm' }, system: 'system' }, reason: 'initial' });
    }
    const messages = this.#view.length;
    this.add('request/sealed', { requestSequence, stepStart, hash: HASH, bytes: 1, messages, changes: [] });
    this.add('request/receipt', { requestSequence, result: 'matched', sha256: HASH });
    this.add('step/end', { turn, step, requestSequence, outcome: 'completed', usage: { input: 1, output: 1 } });
  }

  #say(text: string, surfaceOp: SurfaceOp): number {
    const message = { role: 'user', content: [{ type: 'text', text }] };
    return this.add('host/message', { message, units: [`m${this.events.length}`] }, surfaceOp);
  }

  #replace(from: number, to: number, text: string): void {
    const [start = 0, end = 0] = [this.#view[from], this.#view[to]];
    this.#view.splice(from, to - from + 1, this.#say(text, { op: 'replace', start, end }));
  }

  #audit(blockId: string, source: string) {
    const requestSequence = this.steps.length + 1;
    return { blockId, source, line: 1, trigger: 'load', class: 'context-file', rule: 'rule', requestSequence } as const;
  }
}

/** A long coding session: turns of four requests, one tool result in each that is shown once. */
export function codingLog(events: number): LongLog {
  const maker = new LogMaker();
  while (maker.events.length < events) {
    maker.turn();
  }
  return maker;
}

/** What somebody may do to a session who wants it to be slow: most events define, contest and discard blocks, or are ephemerals. */
export function crowdedLog(events: number): LongLog {
  const maker = new LogMaker();
  for (let round = 0; maker.events.length < events; round++) {
    maker.turn(() => {
      maker.load(`part-${round}.md`, [`block-${round}`, `__proto__${round}`]);
      for (let index = 0; index < 20; index++) {
        maker.conflict('rules', `part-${round}-${index}.md`);
        maker.ephemeral();
      }
      maker.discard(`block-${round}`);
    });
  }
  return maker;
}
