import type { Json } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { readableLines } from '../../protocol/request/readableLines.ts';
import type { SealedRequest } from '../../protocol/request/sealer.ts';
import { Causes, type Part } from './causes.ts';
import { lineageOf } from './lineage.ts';
import { type Hunk, hunksOf } from './lineDiff.ts';
import type { LoggedRequest } from './loggedRequest.ts';
import { type MessageChange, messageChanges } from './messageChanges.ts';

const HEADER_PARTS = ['config', 'system', 'tools', 'prefix'] as const satisfies readonly Part[];

/** A hunk with the events that explain it, in the log's order. */
export interface CausedHunk extends Hunk {
  readonly causes: readonly LogEvent[];
}

export interface PartDiff {
  readonly part: (typeof HEADER_PARTS)[number];
  /** Of either side; absent where the request has no such part. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** Empty where the parts are the same. */
  readonly hunks: readonly CausedHunk[];
}

export interface RequestDiff {
  readonly parts: readonly PartDiff[];
  readonly messages: readonly MessageChange[];
  /** How many messages behind the prefix are the same. */
  readonly unchanged: number;
}

/** One side of a comparison. */
export interface Side {
  readonly request: SealedRequest;
  readonly logged: LoggedRequest;
}

/** What differs from `a` to `b`, whichever was sealed first. Throws `CorruptLogError`. */
export function requestDiff(events: readonly LogEvent[], a: Side, b: Side): RequestDiff {
  const isForward = a.logged.sealed.requestSequence <= b.logged.sealed.requestSequence;
  const [first, last] = isForward ? [a, b] : [b, a];
  const lineage = lineageOf(events, first.logged.sealed.stepStart, last.logged.sealed.stepStart);
  const causes = new Causes(events, first.logged.event, last.logged.event);
  const before = partsOf(a.request, isForward ? lineage.before.length : lineage.after.length);
  const after = partsOf(b.request, isForward ? lineage.after.length : lineage.before.length);
  const parts = HEADER_PARTS.map(part => ({
    part,
    before: before[part],
    after: after[part],
    hunks: hunksOf(linesOf(before[part]), linesOf(after[part])).map((hunk, _, hunks) => ({
      ...hunk,
      causes: causes.ofHunk(part, hunk, hunks),
    })),
  }));
  const changes = messageChanges(lineage, isForward, causes);
  const changed = changes.filter(({ before: old }) => old !== undefined).length;
  return { parts, messages: changes, unchanged: (isForward ? lineage.before : lineage.after).length - changed };
}

function partsOf(
  { config, system, tools, messages }: SealedRequest,
  history: number,
): Readonly<Record<PartDiff['part'], Json | undefined>> {
  const prefix = messages.slice(0, messages.length - history);
  return { config, system, tools, prefix: prefix.length === 0 ? undefined : prefix };
}

function linesOf(value: Json | undefined): readonly string[] {
  return value === undefined ? [] : readableLines(value);
}
