import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionJson } from '../../../client/export/sessionJson.ts';
import { activated, request, sessionOf } from '../views/kit.ts';

interface Exported {
  readonly note: string;
  readonly requests: readonly { readonly request: { readonly messages: readonly { readonly content: string }[] } }[];
}

const asked: number[] = [];
const session = sessionOf([activated('plan'), ...request(1, 2), ...request(2, 8), ...request(3, 14)], {
  readRequest: async number => {
    asked.push(number);
    return {
      text: JSON.stringify({ messages: [{ role: 'user', content: `said ${number}` }] }),
      hash: 'h',
      content: 'full',
    };
  },
});

test('a session whose log is here is exported with its events as they stand in it', async () => {
  const events = await session.history(0, 3);
  const { text, leftOut } = await sessionJson(session, events, false);
  assert.deepEqual(
    JSON.parse(text),
    JSON.parse(JSON.stringify({ header: session.header, policy: session.policy, events })),
  );
  assert.equal(leftOut, undefined);
  assert.deepEqual(asked, []);
});

test('issue 4: where the log is elsewhere, the session is asked for its requests, and the file says what it lacks', async () => {
  const { text, leftOut } = await sessionJson(session, [], true);
  const { note, requests } = JSON.parse(text) as Exported;
  assert.match(note, /not on the machine .* The requests 1 to 3 were read from the session itself\.$/);
  assert.deepEqual(
    requests.map(({ request: { messages } }) => messages[0]?.content),
    ['said 1', 'said 2', 'said 3'],
  );
  assert.deepEqual(leftOut, { from: 1, to: 3 });
});

test('issue 4: of very large requests only the last are asked for, or none', async () => {
  // They have 1,500, 2,000 and 2,500 bytes.
  assert.deepEqual((await sessionJson(session, [], true, 4_500)).leftOut, { from: 2, to: 3 });
  assert.deepEqual((await sessionJson(session, [], true, 4_499)).leftOut, { from: 3, to: 3 });
  const none = await sessionJson(session, [], true, 1);
  assert.deepEqual(none.leftOut, { to: 3 });
  assert.match((JSON.parse(none.text) as Exported).note, /No request was read\.$/);
});
