import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { surfaceEdits } from '../../../protocol/request/surfaceEdits.ts';
import { deepFreeze } from './vectorFile.ts';

test('DESIGN, Speed: messages of a resumed log are compared with those of the view once, and are the same objects from then on', () => {
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'a' }] },
    { role: 'assistant', content: 'b' },
  ];
  const history = new RequestHistory();
  for (const [seq, message] of messages.entries()) {
    const data = { message: structuredClone(message), units: [`u${seq}`] };
    history.append({ type: 'host/message', seq, time: 1, data, surfaceOp: 'append' });
  }
  const entries = messages.map((message, host) => ({
    message: deepFreeze(message),
    host,
    changed: false,
    keys: [`u${host}`],
    calls: [],
    answers: [],
  }));
  assert.notEqual(history.surface[0]?.message, entries[0]?.message);
  assert.deepEqual(surfaceEdits(history.surface, entries), []);
  for (const [index, { message }] of history.surface.entries()) {
    assert.equal(message, entries[index]?.message);
  }
});
