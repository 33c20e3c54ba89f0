import type { EventData, NewEvent } from '../protocol/log/sessionEvents.ts';
import { isJsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';

type Change = EventData<'request/sealed'>['changes'][number];
type Part = Change['part'];

const BLOCK_EVENTS: ReadonlySet<string> = new Set(['block/activated', 'block/discarded']);

const PARTS_BY_MEMBER: ReadonlyMap<string, Part> = new Map([
  ['config', 'config'],
  ['system', 'system'],
  ['tools', 'tools'],
  ['messagePrefix', 'prefix'],
]);

/**
 * What changed since the request before, each with the events that explain it: DESIGN, flow 2, prefix drift is always
 * attributable. `since` are the events after that request's seal, this request's header event included.
 */
export function changesOf(since: readonly LogEvent[], headerEvent: LogEvent | undefined): readonly Change[] {
  const causes = new Map<Part, number[]>();
  for (const part of partsOf(headerEvent)) {
    causes.set(part, headerCauses(part, since, headerEvent));
  }
  const replaced = since.filter(({ surfaceOp }) => surfaceOp !== undefined && surfaceOp !== 'append');
  if (replaced.length > 0) {
    causes.set('messages', messageCauses(since, replaced));
  }
  return [...causes].map(([part, seqs]) => ({ part, causes: seqs }));
}

/** A whole header says nothing of what changed in it: the first of an instance, and a new order of tools. */
function partsOf(headerEvent: LogEvent | undefined): readonly Part[] {
  const data = headerEvent?.data;
  if (headerEvent?.type !== 'request/header-delta' || !isJsonObject(data)) {
    return isJsonObject(data) && data['reason'] === 'fallback' ? ['tools'] : [];
  }
  return Object.keys(data).flatMap(member => PARTS_BY_MEMBER.get(member) ?? []);
}

/** The blocks' message changes with the blocks; all else is the host's doing, of which the header event is the record. */
function headerCauses(part: Part, since: readonly LogEvent[], headerEvent: LogEvent | undefined): number[] {
  const blocks = part === 'prefix' ? since.filter(({ type }) => BLOCK_EVENTS.has(type)) : [];
  return blocks.length > 0 ? blocks.map(({ seq }) => seq) : headerEvent ? [headerEvent.seq] : [];
}

function messageCauses(since: readonly LogEvent[], replaced: readonly LogEvent[]): number[] {
  const consumed = since.filter(({ type }) => type === 'ephemeral/consumed');
  const others = replaced.filter(({ data }) => !isJsonObject(data) || data['cause'] !== 'tombstone');
  return [...consumed, ...others].map(({ seq }) => seq).toSorted((a, b) => a - b);
}

/** Events that a log keeps for a person. */
export function problemEvent(code: string, sentence: string, source?: string): NewEvent {
  return { type: 'session/problem', data: { code, sentence, ...(source !== undefined && { source }) } };
}
