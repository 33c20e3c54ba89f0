import type { LogEvent } from '../request/logEvent.ts';
import type { SessionEventType } from './sessionEvents.ts';
import type { AuditEntry } from './sessionState.ts';

/** V1: what is audited; `discard/overflow` stands for the directives of a unit that were not looked at. */
export const AUDIT_TYPES = [
  'block/activated',
  'block/conflict',
  'block/denied',
  'block/discarded',
  'discard/repeated',
  'discard/unknown',
  'discard/denied',
  'discard/overflow',
  'ephemeral/consumed',
] as const satisfies readonly SessionEventType[];

export type AuditType = (typeof AUDIT_TYPES)[number];

/** What the audit list shows of an event of one of these types. */
export function auditEntry({ type, seq, time, data }: LogEvent): AuditEntry {
  const { blockId, source, requestSequence } = data as Omit<AuditEntry, 'seq' | 'time' | 'type'>;
  return {
    seq,
    time,
    type: type as AuditType,
    ...(blockId !== undefined && { blockId }),
    ...(source !== undefined && { source }),
    ...(requestSequence !== undefined && { requestSequence }),
  };
}
