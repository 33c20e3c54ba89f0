import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { GatewaySessions } from '../../../../adapter/gateway/session/gatewaySessions.ts';
import { SessionCalls } from '../../../../adapter/gateway/session/sessionCalls.ts';
import { REAL_TIMERS } from '../../../../adapter/gateway/session/sessionPool.ts';
import { readLog } from '../../../../local/logFile.ts';
import { logName, logPath } from '../../../../local/openLog.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import { RequestHistory } from '../../../../protocol/request/requestHistory.ts';
import { DIALECTS, type Said } from './dialects.ts';
import { GatewayHouse } from './gatewayHouse.ts';
import { choices, oddJson } from './oddJson.ts';

/** Texts in which nothing is a tag line, but much looks like one. */
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '',
    ' <!--ephemeral-->',
    '<!--ephemeral--> x',
    '1\t<!--ephemeral-->',
    '<!-- BLOCK_ID:a -->',
    '\u2028é\ud83d\ude00',
    '"\\/',
  ),
);

/** A conversation whose calls and results pair. */
const conversation: fc.Arbitrary<readonly Said[]> = fc
  .array(
    fc.oneof(
      text.map(user => ({ user })),
      text.map(says => ({ says })),
      text.map(result => ({ result })),
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map(parts =>
    parts.flatMap((part, place): readonly Said[] =>
      'result' in part ? [{ calls: `c${place}` }, { result: `c${place}`, text: part.result }] : [part],
    ),
  );

/** Members that no API knows, and values that this program does not read. */
const unknown = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 6 }).map(name => `x_${name}`),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 4 },
);

for (const dialect of DIALECTS) {
  test(`law: a request of ${dialect.name} with nothing to apply leaves byte for byte, and the log gives it back`, async t => {
    const folder = mkdtempSync(join(tmpdir(), 'cl-law-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const notices: string[] = [];
    const sessions = new GatewaySessions({
      folder,
      sources: [],
      cwd: folder,
      hasHook: false,
      timers: REAL_TIMERS,
      mostSessions: 4,
      idle: 1_000_000,
      tell: sentence => notices.push(sentence),
      config: { announce: false, countTokens: false, crossCheck: true },
    });
    const calls = new SessionCalls({ sessions, onFailure: 'refuse' });
    t.after(() => calls.close());
    const [path = ''] = dialect.path.split('?');
    let run = 0;
    await fc.assert(
      fc.asyncProperty(conversation, conversation, unknown, choices, async (first, second, more, next) => {
        const session = `law-${run++}`;
        const bodies = [first, [...first, ...second.map(renamed)]].map(said =>
          oddJson(dialect.body(said, more as JsonObject), next),
        );
        for (const body of bodies) {
          const prepared = await calls.prepare({
            method: 'POST',
            provider: dialect.provider,
            path,
            sessionName: session,
            headers: dialect.headers(session),
            body: Buffer.from(body),
            signal: new AbortController().signal,
          });
          assert.equal(prepared.kind, 'send', JSON.stringify(prepared));
          assert.ok(prepared.kind === 'send' && prepared.body === undefined, 'the received bytes themselves leave');
          prepared.sent.end('whole');
        }
        const log = await readLog(logPath(join(folder, 'sessions'), logName(dialect.agent, session)));
        const history = new RequestHistory();
        for (const event of log.events) {
          history.append(event);
        }
        assert.deepEqual([history.bodyText(1), history.bodyText(2)], bodies);
      }),
      { numRuns: 40 },
    );
    assert.deepEqual(notices, []);
  });
}

function renamed(said: Said): Said {
  return 'calls' in said
    ? { calls: `${said.calls}-2` }
    : 'result' in said
      ? { ...said, result: `${said.result}-2` }
      : said;
}

test('a compressed request with nothing to apply leaves compressed as it came; one with something leaves plain', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }]);
  const [dialect] = DIALECTS;
  assert.ok(dialect);
  const said: readonly Said[] = [{ user: 'go' }, { calls: 'c' }, { result: 'c', text: '<!--ephemeral-->\nSECRET' }];
  const bytes = gzipSync(JSON.stringify(dialect.body(said)));
  await house.send(dialect, bytes, { headers: { 'content-encoding': 'gzip' } });
  assert.deepEqual(house.model.requests[0]?.bytes, bytes);
  const longer = gzipSync(JSON.stringify(dialect.body([...said, { says: 'a' }, { user: 'more' }])));
  await house.send(dialect, longer, { headers: { 'content-encoding': 'gzip' } });
  assert.equal(house.model.requests[1]?.headers['content-encoding'], undefined);
  assert.ok(!house.lastBody().includes('SECRET'));
  await house.checkLog();
});
