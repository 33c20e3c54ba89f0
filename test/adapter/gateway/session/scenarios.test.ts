import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definition } from '../../../protocol/lifecycle/lifecycleKit.ts';
import { DIALECTS, GEMINI, RESPONSES, type Said } from './dialects.ts';
import { GatewayHouse } from './gatewayHouse.ts';

const SECRET = '<!--ephemeral-->\nSECRET';

const FIRST: readonly Said[] = [{ user: 'go' }];
const SECOND: readonly Said[] = [...FIRST, { calls: 'c1' }, { result: 'c1', text: SECRET }];
const THIRD: readonly Said[] = [...SECOND, { calls: 'c2' }, { result: 'c2', text: 'ordinary' }];

const CALL = (id: string): { toolCalls: { id: string; name: string; arguments: Record<string, unknown> }[] } => ({
  toolCalls: [{ id, name: 'bash', arguments: {} }],
});

for (const dialect of DIALECTS) {
  test(`V1 over ${dialect.name}: the original in request 2, a tombstone in request 3, and the log holds what left`, async t => {
    const house = await GatewayHouse.open(t, [CALL('c1'), CALL('c2'), { text: 'done' }]);
    const texts = [];
    for (const said of [FIRST, SECOND, THIRD]) {
      const sent = JSON.stringify(dialect.body(said));
      assert.equal((await house.send(dialect, sent)).status, 200);
      texts.push(sent);
    }
    const [first, second, third = ''] = house.bodies;
    assert.deepEqual([first, second], texts.slice(0, 2), 'with nothing to apply it leaves byte for byte as it came');
    assert.match(
      dialect.resultIn(third, 'c1') ?? '',
      /^\[EPHEMERAL:Output omitted after consumption;original_bytes=\d+\]$/,
    );
    assert.equal(dialect.resultIn(third, 'c2'), 'ordinary');
    assert.ok(!third.includes('SECRET'));
    await house.gateway.close();
    await house.checkLog();
    assert.deepEqual(
      (await house.logged('step/end')).map(({ outcome }) => outcome),
      ['completed', 'completed', 'completed'],
    );
    assert.equal((await house.logged('session/opened'))[0]?.format, dialect.name);
    assert.deepEqual(house.notices, []);
  });

  test(`V1 over ${dialect.name}: active blocks stand before the conversation, and their file's changes change nothing that was activated`, async t => {
    const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }], {
      files: { 'rules.md': definition('rules', 'Be brief.') },
      sources: ['rules.md'],
    });
    await house.ask(dialect, FIRST);
    assert.ok(house.lastBody().includes(JSON.stringify(definition('rules', 'Be brief.'))));
    assert.ok(house.lastBody().indexOf('Be brief.') < house.lastBody().indexOf('"go"'));
    house.write('rules.md', definition('rules', 'Be long.') + definition('more', 'One more.'));
    await house.ask(dialect, [...FIRST, { says: 'a' }, { user: 'again' }]);
    assert.ok(house.lastBody().includes('Be brief.') && house.lastBody().includes('One more.'));
    assert.ok(!house.lastBody().includes('Be long.'));
    await house.checkLog();
  });
}

test('a request whose messages are one text, or one object, gets the blocks too', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }], {
    files: { 'rules.md': definition('rules', 'Be brief.') },
    sources: ['rules.md'],
  });
  await house.ask(RESPONSES, [], { more: { input: 'go' } });
  const { input } = JSON.parse(house.lastBody()) as { input: unknown };
  assert.deepEqual(input, [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: definition('rules', 'Be brief.') }] },
    { role: 'user', content: 'go' },
  ]);
  await house.ask(GEMINI, [], { session: 's-2', more: { contents: { role: 'user', parts: [{ text: 'go' }] } } });
  const { contents } = JSON.parse(house.lastBody()) as { contents: unknown };
  assert.deepEqual(contents, [
    { role: 'user', parts: [{ text: definition('rules', 'Be brief.') }] },
    { role: 'user', parts: [{ text: 'go' }] },
  ]);
  await house.gateway.close();
  await house.checkLog('s-1', house.model.requests.slice(0, 1));
  await house.checkLog('s-2', house.model.requests.slice(1));
});

test('content: hashes stores nothing of what is said, and receipts match all the same', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }], {
    files: { 'rules.md': definition('rules', 'NOT-STORED-1') },
    sources: ['rules.md'],
    config: { content: 'hashes' },
  });
  await house.ask(RESPONSES, [{ user: 'NOT-STORED-2' }]);
  await house.ask(RESPONSES, [
    { user: 'NOT-STORED-2' },
    { calls: 'c', name: 'x' },
    { result: 'c', text: 'NOT-STORED-3' },
  ]);
  await house.gateway.close();
  const stored = house.everything();
  assert.ok(stored.includes('request/body') && !stored.includes('NOT-STORED'));
  assert.deepEqual(
    (await house.logged('request/receipt')).map(({ result }) => result),
    ['matched', 'matched'],
  );
});
