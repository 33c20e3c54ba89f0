import type { Json } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { PanelSession } from '../session/sessionModel.ts';

/** Bytes of requests that are asked for where the log is not there; a session's requests together can be anything. */
const MOST_BYTES = 20_000_000;

/** A session as JSON, and what is not in it. */
export interface SessionJson {
  readonly text: string;
  /** Absent where all is there. `from` is the first request that is whole; absent where none is. */
  readonly leftOut?: { readonly from?: number; readonly to: number };
}

/**
 * Its header, its policy and its events. `events` come from its log, or, `withoutContent`, from the session itself: then what was said
 * stands in its last requests alone, which are asked for by number. Rejects where the session cannot be asked.
 */
export async function sessionJson(
  session: PanelSession,
  events: readonly LogEvent[],
  withoutContent: boolean,
  most = MOST_BYTES,
): Promise<SessionJson> {
  const { header, policy, state } = session;
  if (!withoutContent) {
    return { text: textOf({ header, policy, events }) };
  }
  const to = state.requests.length;
  let from = to + 1;
  for (let bytes = 0; from > 1; from--) {
    bytes += state.requests.get(from - 2)?.sealed.bytes ?? 0;
    if (bytes > most) {
      break;
    }
  }
  const requests: { requestSequence: number; hash: string; content: string; request: Json }[] = [];
  for (let requestSequence = from; requestSequence <= to; requestSequence++) {
    const { text, hash, content } = await session.readRequest(requestSequence);
    requests.push({ requestSequence, hash, content, request: JSON.parse(text) as Json });
  }
  const note =
    'The log of this session is not on the machine where it was exported, so its events come without what was said. ' +
    (requests.length === 0
      ? 'No request was read.'
      : `The requests ${from} to ${to} were read from the session itself.`);
  return {
    text: textOf({ header, policy, note, events, requests }),
    leftOut: { ...(requests.length > 0 && { from }), to },
  };
}

function textOf(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
