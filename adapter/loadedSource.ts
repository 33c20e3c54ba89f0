import type { DirectiveOutcome } from '../protocol/lifecycle/directives.ts';
import type { LifecycleSession } from '../protocol/lifecycle/lifecycleSession.ts';
import type { LifecycleSource } from '../protocol/lifecycle/loadedSources.ts';
import { renderMessage } from '../protocol/lifecycle/text.ts';
import { eventSentence } from '../protocol/log/eventSentence.ts';
import type { NewEvent } from '../protocol/log/sessionEvents.ts';
import { isJsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import type { SessionLog } from './sessionLog.ts';

/** Loads a source, and logs what a person should know of it. */
export function loadedSource(
  lifecycle: LifecycleSession,
  log: SessionLog,
  source: LifecycleSource,
): readonly DirectiveOutcome[] {
  const first = log.nextSeq;
  const outcomes = lifecycle.loadSource(source);
  sourceProblems(log.eventsFrom(first)).forEach(event => log.append(event));
  return outcomes;
}

/**
 * What a person should know of the sources that were just loaded: V1, a collision is reported; DESIGN, Flow 1, by the code
 * that the editor uses. `events` are those of the loading.
 */
function sourceProblems(events: readonly LogEvent[]): readonly NewEvent[] {
  return events.flatMap((event): readonly NewEvent[] => {
    const code = codeOf(event);
    const source = isJsonObject(event.data) ? event.data['source'] : undefined;
    return code === undefined || typeof source !== 'string'
      ? []
      : [{ type: 'session/problem', data: { code, sentence: renderMessage(eventSentence(event)), source } }];
  });
}

function codeOf({ type, data }: LogEvent): string | undefined {
  if (type === 'block/conflict') {
    return 'block-id-conflict';
  }
  const isDrifted = type === 'source/drifted' && isJsonObject(data) && data['drifted'] === true;
  return isDrifted ? 'source-drifted' : undefined;
}
