import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { GatewaySessions } from '../../../../adapter/gateway/session/gatewaySessions.ts';
import { SessionCalls } from '../../../../adapter/gateway/session/sessionCalls.ts';
import { REAL_TIMERS } from '../../../../adapter/gateway/session/sessionPool.ts';

const ANSWER = Buffer.from('{"type":"message","role":"assistant","content":[],"stop_reason":"end_turn","usage":{}}');

/** Calls of sessions with their logs in a folder; of those that nobody uses, `most` stay open. */
export function callsIn(folder: string, most: number): SessionCalls {
  const sessions = new GatewaySessions({
    folder,
    cwd: folder,
    sources: [],
    hasHook: false,
    timers: REAL_TIMERS,
    mostSessions: most,
    idle: 3_600_000,
    config: { announce: false, countTokens: false },
    tell: () => undefined,
  });
  return new SessionCalls({ sessions, onFailure: 'refuse' });
}

/** One request, its receipt and its whole answer. */
export async function sendDirectly(calls: SessionCalls, session: string, body: Buffer): Promise<void> {
  const made = await calls.prepare({
    method: 'POST',
    provider: 'anthropic',
    path: '/v1/messages',
    headers: { 'x-claude-code-session-id': session, 'content-type': 'application/json' },
    body,
    signal: new AbortController().signal,
  });
  if (made.kind !== 'send') {
    throw new Error(`The request was not sent: ${JSON.stringify(made)}`);
  }
  made.sent.left(
    createHash('sha256')
      .update(made.body ?? body)
      .digest('hex'),
  );
  made.sent.head({ status: 200, headers: { 'content-type': 'application/json' } });
  made.sent.piece(ANSWER);
  made.sent.end('whole');
  // As between requests that come by a connection: what was closed meanwhile ends.
  await setImmediate();
}
