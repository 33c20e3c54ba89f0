import { repairTail } from '../protocol/request/turns.ts';
import type { SessionLog } from './sessionLog.ts';
import type { SessionOptions } from './sessionTypes.ts';
import type { StartedLog } from './startLog.ts';

type Opening = SessionOptions & Required<Pick<SessionOptions, 'policy' | 'format' | 'config'>>;

/**
 * The events with which an instance starts: what the one before it left open is ended, and this one says who it is. They are
 * on disk when it returns; throws what the writer throws.
 */
export function beginInstance(
  log: SessionLog,
  started: StartedLog,
  notices: readonly string[],
  options: Opening,
): void {
  const { writer, past, reason, forkedFrom } = started;
  const lastTime = past.at(-1)?.time;
  if (writer.tornBytes > 0) {
    log.append({ type: 'log/torn', data: { bytes: writer.tornBytes } });
  }
  const step = log.state.step;
  for (const event of repairTail(log.state, step ? past.slice(step.seq) : [])) {
    log.append(event, lastTime);
  }
  const { agent, agentVersion, format, policy, config, hostSession, sessionId, transcript, hasHistory } = options;
  const host = hostSession ?? sessionId;
  log.append({
    type: 'session/opened',
    data: {
      reason,
      agent,
      ...(agentVersion !== undefined && { agentVersion }),
      format: format.name,
      content: config.content ?? 'full',
      policy,
      ...(host !== undefined && { hostSession: host }),
      ...(transcript !== undefined && { transcript }),
      ...(forkedFrom !== undefined && { forkedFrom }),
      ...((started.earlierUnknown || (reason === 'new' && hasHistory)) && { earlierUnknown: true }),
    },
  });
  for (const sentence of notices) {
    log.append({ type: 'session/problem', data: { code: 'log', sentence } });
  }
  log.commit();
}
