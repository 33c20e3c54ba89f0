import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HookSources } from '../../../../adapter/gateway/session/hookSources.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';

function take(hooks: HookSources, message: JsonObject | string): void {
  hooks.take(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
}

test('types that are none, also names of what every object has, rank behind all others', () => {
  const hooks = new HookSources();
  for (const [name, type] of Object.entries({
    a: 'constructor',
    b: '__proto__',
    c: 'toString',
    d: 'Local',
    e: 'User',
  })) {
    take(hooks, { session_id: 's', file_path: `/${name}.md`, memory_type: type, load_reason: 'session_start' });
  }
  const { sources = [] } = hooks.of('s') ?? {};
  assert.deepEqual(
    sources.map(({ path, rank }) => [path, rank]),
    [
      ['/e.md', 1],
      ['/d.md', 3],
      ['/a.md', 4],
      ['/b.md', 4],
      ['/c.md', 4],
    ],
  );
});

test('what is no message of the hook says nothing, and however many there are, few are kept', () => {
  const hooks = new HookSources();
  const path = '/x.md';
  for (const message of [
    '',
    'null',
    '[]',
    '{"session_id":{},"file_path":[]}',
    `{"session_id":"s","file_path":"x.md"}`,
  ]) {
    take(hooks, message);
  }
  take(hooks, { session_id: 's', file_path: `/${'x'.repeat(2_000)}` });
  take(hooks, { session_id: 's'.repeat(70_000), file_path: path });
  assert.equal(hooks.heard, false);
  for (let number = 0; number < 300; number++) {
    take(hooks, { session_id: 'one', file_path: `/${number}.md` });
    take(hooks, {
      session_id: `s${number}`,
      file_path: path,
      cwd: `/${'x'.repeat(2_000)}`,
      transcript_path: 'x'.repeat(2_000),
    });
  }
  assert.equal(hooks.of('one')?.sources.length, 128);
  assert.equal(hooks.of('s0'), undefined);
  assert.deepEqual([hooks.of('s299')?.cwd, hooks.of('s299')?.transcript], [undefined, undefined], 'no path is so long');
});
