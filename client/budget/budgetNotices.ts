import { grouped } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { EventData } from '../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { isEvent } from '../session/eventTypes.ts';
import { nameOf } from '../session/plainWords.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import type { Notice } from '../session/sessionNotices.ts';

type Told = Omit<Notice, 'session'>;
type Noticed = Pick<PanelSession, 'key' | 'header'>;

/** A number that is only estimated counts with head-room: within the limit, the request may still be above it. */
const ABOVE = {
  blocked: 'Request {0} of {1} is above its limit of {2} tokens, so it was not sent.',
  warned: 'Request {0} of {1} is above its limit of {2} tokens; it was sent all the same.',
} as const;
const MAYBE_ABOVE = {
  blocked: 'Request {0} of {1} may be above its limit of {2} tokens, so it was not sent.',
  warned: 'Request {0} of {1} may be above its limit of {2} tokens; it was sent all the same.',
} as const;

/**
 * What of a budget is worth a notification (DESIGN, Trust): a contradiction, and a request above its limit. An agent that tries the
 * same again and again is told of once, until a request keeps the limit.
 */
export class BudgetNotices {
  /** Keys of sessions whose last request was above its limit. */
  readonly #over = new Set<string>();

  /** Events that have just come. */
  events(session: Noticed, events: readonly LogEvent[]): readonly Told[] {
    const measured = events.filter(event => isEvent(event, 'budget/measured'));
    const contradictions = events.filter(event => isEvent(event, 'budget/contradiction')).length;
    return [
      ...measured.flatMap(({ data }) => this.#overLimit(session, data)),
      ...(contradictions > 0 ? [contradicted(session, contradictions)] : []),
    ];
  }

  #overLimit({ key, header }: Noticed, data: EventData<'budget/measured'>): readonly Told[] {
    const { gate, requestSequence, limits, total } = data;
    if (gate === 'sent') {
      this.#over.delete(key);
      return [];
    }
    if (this.#over.has(key)) {
      return [];
    }
    this.#over.add(key);
    const template = total.tokens > limits.hard ? ABOVE[gate] : MAYBE_ABOVE[gate];
    const message = sentence(template, requestSequence, nameOf(header), grouped(limits.hard));
    return [{ severity: gate === 'blocked' ? 'error' : 'warning', message }];
  }
}

function contradicted({ header }: Noticed, count: number): Told {
  const name = nameOf(header);
  const message =
    count === 1
      ? sentence('A summary of {0} contradicts what was said first; the original counts.', name)
      : sentence('Summaries of {0} contradict what was said first ({1} times); the original counts.', name, count);
  return { severity: 'warning', message };
}
