import type { Appended, PlacedEntry } from '../../../protocol/request/appended.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { surfaceEdits } from '../../../protocol/request/surfaceEdits.ts';
import type { HostMessageEvent } from '../../../protocol/request/surfaceSlot.ts';
import { text } from './logKit.ts';
import { deepFreeze } from './vectorFile.ts';

export const message = (value: string): JsonObject => deepFreeze({ role: 'user', content: [text(value)] });

/** A host's message whose only unit is named like its text. */
export function entry(value: string, others: Partial<PlacedEntry> = {}): PlacedEntry {
  return { message: message(value), host: 0, changed: false, keys: [value], calls: [], answers: [], ...others };
}

/** The texts of an assistant message with calls, and of results. */
export const calling = (value: string, ...calls: readonly string[]): PlacedEntry => entry(value, { calls });
export const answering = (value: string, ...answers: readonly string[]): PlacedEntry => entry(value, { answers });

export const appended = (value: string, after: string): Appended => ({ message: message(value), key: value, after });

/** The first texts of messages. */
export function textsOf(messages: readonly JsonObject[]): readonly string[] {
  return messages.map(({ content }) => ((content as readonly { readonly text: string }[])[0] ?? { text: '' }).text);
}

/** A log whose only events are those of its surface, with the history that follows it. */
export class ViewLog {
  readonly events: LogEvent[] = [];
  readonly history = new RequestHistory();

  /** Brings the surface to this view, and gives the events that it took. */
  show(entries: readonly PlacedEntry[]): readonly HostMessageEvent[] {
    const edits = surfaceEdits(this.history.surface, entries);
    for (const edit of edits) {
      this.append(edit);
    }
    return edits;
  }

  append(event: object): number {
    const seq = this.events.length;
    const placed = deepFreeze({ ...event, seq, time: seq }) as LogEvent;
    this.history.append(placed);
    this.events.push(placed);
    return seq;
  }
}
