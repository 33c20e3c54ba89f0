import { isJsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import type { LifecycleSummary } from './lifecycleSummary.ts';

/**
 * The events with which a new log of the session begins, so that what was discarded stays taken, what was consumed stays
 * consumed, and no directive is obeyed twice. Blocks that were active are not among them: their sources are loaded again,
 * and define them again. Times are those of the first log.
 */
export function summaryEvents(summary: LifecycleSummary): readonly LogEvent[] {
  const discarded = new Set(summary.blocks.filter(({ status }) => status === 'discarded').map(({ id }) => id));
  const consumed = new Set<string>();
  const seen = new Set<string>();
  const events: LogEvent[] = [];
  for (const event of summary.events) {
    const data = isJsonObject(event.data) ? event.data : {};
    const unit = typeof data['unit'] === 'string' ? data['unit'] : undefined;
    const { type, time } = event;
    const put = (changed = data): void => {
      events.push({ type, seq: events.length, time, data: changed });
    };
    if (type === 'ephemeral/consumed' && unit !== undefined && !consumed.has(unit)) {
      put({ ...data, ordinal: consumed.size });
      consumed.add(unit);
    } else if (type === 'block/activated' || type === 'block/discarded') {
      const id = typeof data['blockId'] === 'string' ? data['blockId'] : '';
      // A summary of two logs may say twice what happened once.
      if (discarded.has(id) && !seen.has(`${type} ${id}`)) {
        put();
        seen.add(`${type} ${id}`);
      }
    } else if (type.startsWith('discard/')) {
      put();
    }
  }
  return events;
}
