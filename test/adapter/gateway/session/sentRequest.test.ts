import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentSession } from '../../../../adapter/agentSession.ts';
import { openaiResponses } from '../../../../adapter/gateway/apis/openaiResponses.ts';
import { SentRequest } from '../../../../adapter/gateway/session/sentRequest.ts';
import type { Ended } from '../../../../adapter/sessionTypes.ts';

const FINAL = `data: ${JSON.stringify({ type: 'response.completed', response: { usage: { input_tokens: 3 } } })}\n\n`;

/** What the session is told when an answer with this text ends so. */
function told(text: string, how: 'whole' | 'cut' | 'aborted' | 'unreachable'): readonly Ended[] {
  const ends: Ended[] = [];
  const session: Pick<AgentSession, 'response'> = { response: (_, ended) => ends.push(ended) };
  const sent = new SentRequest({
    session: session as AgentSession,
    api: openaiResponses,
    requestSequence: 1,
    done: () => {},
    tell: sentence => assert.fail(sentence),
  });
  sent.head({ status: 200, headers: { 'content-type': 'text/event-stream' } });
  sent.piece(Buffer.from(text));
  sent.end(how);
  sent.end('whole');
  return ends;
}

test('an agent that hangs up behind the final event, as Codex does, has a completed answer', () => {
  for (const how of ['aborted', 'cut', 'whole'] as const) {
    assert.deepEqual(told(FINAL, how), [{ outcome: 'completed', usage: { input: 3 }, callsTools: false }]);
  }
});

test('an agent that hangs up before the final event has aborted its answer', () => {
  assert.deepEqual(told('data: {"type":"response.created"}\n\n', 'aborted'), [{ outcome: 'aborted' }]);
  assert.deepEqual(told('data: {"type":"response.created"}\n\n', 'cut'), [{ outcome: 'failed' }]);
});
