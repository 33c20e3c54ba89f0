import { eventSentence } from '../../protocol/log/eventSentence.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { placeText } from './sourcePlace.ts';
import type { Wording } from './wording.ts';

/** What an event says to a person; its values are bounded and below the session's folder shortened. */
export function renderShown(event: LogEvent, { header: { cwd } }: PanelSession, { say }: Wording): string {
  const message = eventSentence(event);
  return say({ ...message, values: message.values.map(value => placeText(value, cwd)) });
}
