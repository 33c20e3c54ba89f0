import { createHash } from 'node:crypto';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { EventData, SessionEventType } from '../../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** A session that a test tells what happened. */
export class TestSession {
  state: SessionState = initialState;

  add<Type extends SessionEventType>(type: Type, data: EventData<Type>): this {
    const seq = this.state.nextSeq;
    this.state = reduce(this.state, { type, seq, time: 1_000 + seq, data });
    return this;
  }

  loaded(source: string, blocks: readonly string[]): this {
    const facts = { source, class: 'context-file', sha256: sha256(source), bytes: 1 } as const;
    return this.add('source/loaded', { ...facts, blocks: [...blocks], problems: [] });
  }

  activated(source: string, blockId: string, text: string, line = 1): this {
    return this.add('block/activated', {
      ...audit(source, blockId, line),
      endLine: line + 2,
      bytes: Buffer.byteLength(text),
      sha256: sha256(text),
    });
  }

  conflict(source: string, blockId: string, winner: { source: string; line?: number }): this {
    return this.add('block/conflict', { ...audit(source, blockId, 1), winner });
  }

  discarded(source: string, blockId: string, requestSequence: number, line?: number): this {
    const { line: _, ...rest } = audit(source, blockId, 1);
    return this.add('block/discarded', { ...rest, requestSequence, ...(line !== undefined && { line }) });
  }

  /** Over the wire. */
  discardedAt(connection: string, blockId: string, requestSequence: number): this {
    const { line: _, ...rest } = audit('editor', blockId, 1);
    return this.add('block/discarded', { ...rest, class: 'editor', trigger: 'watcher', requestSequence, connection });
  }

  refused(type: 'discard/denied' | 'discard/unknown', source: string, blockId: string): this {
    return this.add(type, audit(source, blockId, 1));
  }

  /** A request that was sealed and answered. */
  request(): this {
    const requestSequence = this.state.requests.length + 1;
    const turn = this.state.lastTurn + 1;
    this.add('turn/start', { turn, trigger: null });
    const stepStart = this.state.nextSeq;
    this.add('step/start', { turn, step: 1, requestSequence });
    this.add('request/sealed', {
      requestSequence,
      stepStart,
      hash: sha256(''),
      bytes: 2,
      messages: 0,
      changes: [],
    });
    this.add('step/end', { turn, step: 1, requestSequence, outcome: 'completed' });
    return this.add('turn/end', { turn, reason: 'completed' });
  }
}

function audit(source: string, blockId: string, line: number) {
  return {
    blockId,
    source,
    line,
    trigger: 'load',
    class: 'context-file',
    rule: 'rule 1: context-file "*" may define',
    requestSequence: 1,
  } as const;
}
