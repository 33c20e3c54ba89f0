import type { EventData } from '../protocol/log/sessionEvents.ts';
import type { RawRequestHeader } from '../protocol/request/header.ts';
import { diffHeader } from '../protocol/request/headerDelta.ts';
import { isJsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';

type Change = EventData<'request/sealed'>['changes'][number];
type Part = Change['part'];

/** What the session itself changes in the prefix. */
const PREFIX_EVENTS: ReadonlySet<string> = new Set(['block/activated', 'block/discarded', 'budget/tier1-set']);

const PARTS_BY_MEMBER: ReadonlyMap<string, Part> = new Map([
  ['config', 'config'],
  ['system', 'system'],
  ['tools', 'tools'],
  ['messagePrefix', 'prefix'],
]);

/** A header event, with the header that the log folds to before it and after it. */
export interface HeaderStep {
  readonly before: RawRequestHeader;
  readonly after: RawRequestHeader;
  readonly event: LogEvent;
}

/**
 * What changed since the request before, each with the events that explain it: DESIGN, flow 2, prefix drift is always
 * attributable. `lastStep` is the seq of that request's `step/start`, `since` are the events after it, this request's header
 * event included.
 */
export function changesOf(
  since: readonly LogEvent[],
  lastStep: number,
  step: HeaderStep | undefined,
): readonly Change[] {
  const causes = new Map<Part, number[]>();
  // Not what the event holds: a whole header does not say what changed in it.
  for (const member of Object.keys((step && diffHeader(step.before, step.after)) ?? {})) {
    const part = PARTS_BY_MEMBER.get(member);
    if (step && part) {
      causes.set(part, headerCauses(part, since, step.event));
    }
  }
  const replaced = since.filter(event => replacesOlder(event, lastStep));
  if (replaced.length > 0) {
    causes.set('messages', messageCauses(since, replaced));
  }
  return [...causes].map(([part, seqs]) => ({ part, causes: seqs }));
}

/**
 * The blocks' message changes with the blocks, and that of the first tier when it is set; all else is the host's doing, of
 * which the header event is the record. A resume composes the whole prefix again, so it is a cause beside them.
 */
function headerCauses(part: Part, since: readonly LogEvent[], { seq, data }: LogEvent): number[] {
  const blocks = part === 'prefix' ? since.filter(({ type }) => PREFIX_EVENTS.has(type)).map(event => event.seq) : [];
  const isResume = isJsonObject(data) && data['reason'] === 'resume';
  return blocks.length === 0 || isResume ? [...blocks, seq] : blocks;
}

/** A message that came since, and only now finds its place, was not in the request before: to move it changes nothing there. */
function replacesOlder({ surfaceOp, sourceEventSeqs = [0] }: LogEvent, lastStep: number): boolean {
  return surfaceOp !== undefined && surfaceOp !== 'append' && sourceEventSeqs.some(seq => seq < lastStep);
}

/** What the layer did is told by its edits; where there is none (the host took back what one stood for) by what was replaced. */
function messageCauses(since: readonly LogEvent[], replaced: readonly LogEvent[]): number[] {
  const isBudget = replaced.some(event => causeOf(event) === 'budget');
  const edits = isBudget ? since.filter(isEditOfHistory) : [];
  const consumed = since.filter(({ type }) => type === 'ephemeral/consumed');
  const explained = new Set(['tombstone', ...(edits.length > 0 ? ['budget'] : [])]);
  const others = replaced.filter(event => !explained.has(causeOf(event)));
  return [...consumed, ...edits, ...others].map(({ seq }) => seq).toSorted((a, b) => a - b);
}

function causeOf({ data }: LogEvent): string {
  return isJsonObject(data) && typeof data['cause'] === 'string' ? data['cause'] : '';
}

function isEditOfHistory({ type, data }: LogEvent): boolean {
  return type === 'budget/edit' && isJsonObject(data) && data['kind'] !== 'append';
}
