import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { definition } from '../../../protocol/lifecycle/lifecycleKit.ts';
import { inTime } from '../../../server/deadline.ts';
import { ANTHROPIC, DIALECTS, GEMINI, type Said } from './dialects.ts';
import { GatewayHouse } from './gatewayHouse.ts';
import { watch } from './watching.ts';

const SECRET = '<!--ephemeral-->\nSECRET';
const FIRST: readonly Said[] = [{ user: 'go' }];
const SECOND: readonly Said[] = [...FIRST, { calls: 'c1' }, { result: 'c1', text: SECRET }];
const THIRD: readonly Said[] = [...SECOND, { says: 'seen' }, { user: 'more' }];
const CALL = { toolCalls: [{ id: 'c1', name: 'bash', arguments: {} }] };
const RULES = { 'rules.md': definition('rules', 'Be brief.') + definition('plan', 'The plan.') };

/** The status of an error that agents do not try again. */
function isRefused(status: number): boolean {
  return status === 400 || status === 412;
}

for (const dialect of DIALECTS) {
  test(`V1 over ${dialect.name}: a block that a watcher discards is gone from the next body, and stays so after a restart`, async t => {
    const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }, { text: 'c' }], {
      files: RULES,
      sources: ['rules.md'],
      config: { announce: true },
    });
    await house.ask(dialect, FIRST);
    const connection = await watch(house);
    assert.equal(await connection.discard('plan'), 'discarded');
    connection.close();
    await house.ask(dialect, [...FIRST, { says: 'a' }, { user: 'b' }]);
    assert.ok(house.bodies[0]?.includes('The plan.'));
    assert.ok(house.bodies[1]?.includes('Be brief.'));
    assert.ok(!house.bodies[1]?.includes('The plan.'));
    await house.restart();
    await house.ask(dialect, [...FIRST, { says: 'a' }, { user: 'b' }, { says: 'b' }, { user: 'c' }]);
    assert.ok(house.bodies[2]?.includes('Be brief.'));
    assert.ok(!house.bodies[2]?.includes('The plan.'));
    await house.gateway.close();
    await house.checkLog();
    assert.deepEqual(
      (await house.logged('session/opened')).map(({ reason }) => reason),
      ['new', 'resumed'],
    );
    assert.equal(
      readFileSync(join(house.project, 'rules.md'), 'utf8'),
      RULES['rules.md'],
      'no file of the agent is touched',
    );
  });

  test(`agents.md trap: after a 500 and after a cut ${dialect.agent} sends the original again, and only the completed answer consumes`, async t => {
    const house = await GatewayHouse.open(t, [
      CALL,
      { status: 500 },
      { text: 'seen', cut: true },
      { text: 'seen' },
      { text: 'end' },
    ]);
    await house.ask(dialect, FIRST);
    assert.equal((await house.ask(dialect, SECOND)).status, 500);
    await assert.rejects(house.ask(dialect, SECOND), 'the connection is cut as the upstream cut it');
    await house.ask(dialect, SECOND);
    await house.ask(dialect, THIRD);
    for (const body of house.bodies.slice(1, 4)) {
      assert.equal(dialect.resultIn(body, 'c1'), SECRET);
    }
    assert.match(dialect.resultIn(house.lastBody(), 'c1') ?? '', /^\[EPHEMERAL:/);
    await house.gateway.close();
    await house.checkLog();
    assert.deepEqual(
      (await house.logged('step/end')).map(({ outcome }) => outcome),
      ['completed', 'failed', 'failed', 'completed', 'completed'],
    );
  });

  test(`a request of ${dialect.name} with what no log can keep is refused in words about its body`, async t => {
    const house = await GatewayHouse.open(t, []);
    const body = JSON.stringify(dialect.body(FIRST)).replace(/\}$/, ',"odd":[1e400]}');
    const refused = await house.send(dialect, body);
    assert.match(refused.text, /config\.odd\[0\] of its body is Infinity, which a log cannot keep as it came\./);
    assert.deepEqual(house.bodies, []);
  });

  test(`a request of ${dialect.name} that cannot be built is refused in the API's own words, and nothing leaves`, async t => {
    const house = await GatewayHouse.open(t, [{ text: 'a' }]);
    const answered = await house.ask(dialect, [{ user: 'go' }, { result: 'nobody-asked', text: 'x' }]);
    assert.ok(isRefused(answered.status));
    const { error } = JSON.parse(answered.text) as { error: { message: string } };
    assert.match(error.message, /^Context Lifecycle: .*has no such call before it/);
    const broken = await house.send(dialect, '{"messages": [');
    assert.ok(isRefused(broken.status));
    assert.match(broken.text, /no JSON/);
    assert.match((await house.send(dialect, Buffer.from([0x7b, 0xff, 0x7d]))).text, /no UTF-8/);
    assert.deepEqual(house.bodies, []);
    assert.equal(house.notices.length, 3);
    assert.match((await house.logged('session/problem'))[0]?.code ?? '', /request-refused/);
  });
}

test('onFailure pass: what cannot be built goes on as it came, with a notice in the answer, on the console and in the log', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }], { onFailure: 'pass' });
  const sent = JSON.stringify(ANTHROPIC.body([{ user: 'go' }, { result: 'nobody-asked', text: 'x' }]));
  const answered = await house.send(ANTHROPIC, sent);
  assert.equal(answered.status, 200);
  assert.equal(house.lastBody(), sent);
  assert.match(answered.headers.get('x-context-lifecycle') ?? '', /sent on as it came/);
  assert.match(house.notices.join(), /sent on as it came/);
  const [problem] = await house.logged('session/problem');
  assert.equal(problem?.code, 'sent-unchanged');
});

test('a context file that a person named and nobody can read: nothing is sent', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }], { sources: ['gone.md'] });
  const answered = await house.ask(ANTHROPIC, FIRST);
  assert.ok(isRefused(answered.status));
  assert.match(answered.text, /gone\.md was not loaded/);
  assert.deepEqual(house.bodies, []);
});

test('a log that cannot be written: nothing is sent', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }]);
  writeFileSync(join(house.home, 'sessions'), 'no folder');
  const answered = await house.ask(ANTHROPIC, FIRST);
  assert.ok(isRefused(answered.status));
  assert.deepEqual(house.bodies, []);
});

test('a request without tools that shows a context file is not left alone, though nobody has named the file yet', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }]);
  const memory = 'Contents of /p/CLAUDE.md (project instructions, checked into the codebase):\n\nStep one.\n';
  const body = ANTHROPIC.body([{ user: memory }, { user: 'go' }], { tools: [] });
  assert.equal((await house.send(ANTHROPIC, JSON.stringify(body))).status, 200);
  assert.equal((await house.logged('request/sealed')).length, 1);
});

test('agents.md trap: titles, token counts and looks whether somebody is there are left alone, and open no session', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a title' }]);
  const title = JSON.stringify(ANTHROPIC.body(FIRST, { tools: [] }));
  assert.equal((await house.send(ANTHROPIC, title)).status, 200);
  assert.equal(house.lastBody(), title);
  const count = await house.send({ ...ANTHROPIC, path: '/v1/messages/count_tokens' }, title);
  assert.deepEqual(JSON.parse(count.text), { input_tokens: 100 });
  assert.equal((await fetch(`${house.gateway.address}/anthropic/`, { method: 'HEAD' })).status, 200);
  await house.gateway.close();
  assert.equal(house.everything().length, 0, 'nothing is stored');
});

test('a call without tools that shows results of tools is a request like any other: a summary leaks nothing', async t => {
  const house = await GatewayHouse.open(t, [CALL, { text: 'seen' }, { text: 'a summary' }, { text: 'end' }]);
  await house.ask(ANTHROPIC, FIRST);
  await house.ask(ANTHROPIC, SECOND);
  const summary = [...SECOND, { says: 'seen' }, { user: 'Summarise.' }] as const;
  await house.ask(ANTHROPIC, summary, { more: { tools: [] } });
  assert.match(ANTHROPIC.resultIn(house.lastBody(), 'c1') ?? '', /^\[EPHEMERAL:/);
  await house.ask(ANTHROPIC, THIRD);
  assert.match(ANTHROPIC.resultIn(house.lastBody(), 'c1') ?? '', /^\[EPHEMERAL:/);
  await house.gateway.close();
  await house.checkLog();
});

test('an agent that goes away aborts its request, which consumes nothing', async t => {
  let release = (): void => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  t.after(() => release());
  const house = await GatewayHouse.open(t, [
    CALL,
    { text: 'slow', released: piece => (piece > 1 ? held : Promise.resolve()) },
    { text: 'seen' },
  ]);
  await house.ask(ANTHROPIC, FIRST);
  const gone = new AbortController();
  const asked = house.ask(ANTHROPIC, SECOND, { signal: gone.signal });
  await inTime(
    (async () => {
      while (house.bodies.length < 2) {
        await new Promise(resolve => setImmediate(resolve));
      }
    })(),
    'the request reached the model',
  );
  gone.abort();
  await assert.rejects(asked);
  await house.ask(ANTHROPIC, SECOND);
  assert.equal(ANTHROPIC.resultIn(house.lastBody(), 'c1'), SECRET);
  await house.gateway.close();
  assert.deepEqual(
    (await house.logged('step/end')).map(({ outcome }) => outcome),
    ['completed', 'aborted', 'completed'],
  );
});

test('no credential of an agent is in any file of the home folder', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }, { status: 500 }], {
    config: { announce: true },
  });
  const secrets = ['sk-secret-1', 'Bearer secret-2', 'goog-secret-3', 'cookie-secret-4', 'query-secret-5'];
  const headers = {
    'x-api-key': 'sk-secret-1',
    authorization: 'Bearer secret-2',
    'x-goog-api-key': 'goog-secret-3',
    cookie: 'a=cookie-secret-4',
  };
  await house.ask(ANTHROPIC, FIRST, { headers });
  const withQuery = { ...GEMINI, path: `${GEMINI.path}&key=query-secret-5` };
  await house.ask(withQuery, FIRST, { headers, session: 'two' });
  await house.ask(withQuery, [{ user: 'go' }, { result: 'x', text: '' }], { headers, session: 'two' });
  assert.equal(house.model.requests[0]?.headers['x-api-key'], 'sk-secret-1', 'they pass through');
  assert.ok(house.model.requests[1]?.path.endsWith('key=query-secret-5'));
  await house.gateway.close();
  const stored = Buffer.concat([house.everything(), Buffer.from(house.notices.join())]);
  assert.ok(stored.includes('session/opened'));
  for (const secret of secrets) {
    assert.ok(!stored.includes(secret), secret);
  }
});
