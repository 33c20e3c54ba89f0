import { grouped } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { isEvent } from '../session/eventTypes.ts';
import { nameOf } from '../session/plainWords.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import type { Notice } from '../session/sessionNotices.ts';

type Told = Omit<Notice, 'session'>;

/**
 * What of a budget is worth a notification (DESIGN, Trust): a contradiction, and a request above its limit. An agent that tries the
 * same again and again is told of once, until a request keeps the limit.
 */
export class BudgetNotices {
  /** Keys of sessions whose last request was above its limit. */
  readonly #over = new Set<string>();

  /** Events that have just come. */
  events({ key, header }: Pick<PanelSession, 'key' | 'header'>, events: readonly LogEvent[]): readonly Told[] {
    const name = nameOf(header);
    const told: Told[] = [];
    for (const event of events) {
      if (isEvent(event, 'budget/measured')) {
        const { gate, requestSequence, limits } = event.data;
        if (gate === 'sent') {
          this.#over.delete(key);
        } else if (!this.#over.has(key)) {
          this.#over.add(key);
          told.push(
            gate === 'blocked'
              ? {
                  severity: 'error',
                  message: sentence(
                    'Request {0} of {1} is above its limit of {2} tokens, so it was not sent.',
                    requestSequence,
                    name,
                    grouped(limits.hard),
                  ),
                }
              : {
                  severity: 'warning',
                  message: sentence(
                    'Request {0} of {1} is above its limit of {2} tokens; it was sent all the same.',
                    requestSequence,
                    name,
                    grouped(limits.hard),
                  ),
                },
          );
        }
      }
    }
    const contradictions = events.filter(event => isEvent(event, 'budget/contradiction')).length;
    if (contradictions > 0) {
      const message =
        contradictions === 1
          ? sentence('A summary of {0} contradicts what was said first; the original counts.', name)
          : sentence(
              'Summaries of {0} contradict what was said first ({1} times); the original counts.',
              name,
              contradictions,
            );
      told.push({ severity: 'warning', message });
    }
    return told;
  }
}
