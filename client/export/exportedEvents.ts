import { readLog } from '../../local/logFile.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { PanelSession } from '../session/sessionModel.ts';

/** The events of a session as far as they can be had. */
export interface ExportedEvents {
  readonly events: readonly LogEvent[];
  /** They are the session's own, which come without what was said. */
  readonly withoutContent: boolean;
  /** For a person: why the log was read only to some place. Absent where all of it was. */
  readonly fault?: string;
}

/** From its log, where that lies on this machine; else, and where the log was deleted meanwhile, as the session gives them. */
export async function exportedEvents(session: PanelSession): Promise<ExportedEvents> {
  const { logFile, link, state } = session;
  if (logFile !== undefined) {
    try {
      const { events, fault } = await readLog(logFile);
      return { events, withoutContent: false, ...(fault && { fault: fault.message }) };
    } catch (error) {
      if (link.kind !== 'connected') {
        throw error;
      }
    }
  }
  return { events: await session.history(0, state.nextSeq), withoutContent: true };
}
