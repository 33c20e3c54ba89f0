import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { definition } from '../../../protocol/lifecycle/lifecycleKit.ts';
import { ANTHROPIC } from './dialects.ts';
import { GatewayHouse } from './gatewayHouse.ts';

test('a hook that names what is no ordinary file: nothing waits, nothing is loaded, each is said once, and the request goes on', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }], {
    files: { 'real.md': definition('real', 'Real body.'), 'large.md': '' },
  });
  const at = (name: string): string => join(house.project, name);
  execFileSync('mkfifo', [at('pipe.md')]);
  symlinkSync('/dev/zero', at('device.md'));
  symlinkSync(at('loop.md'), at('loop.md'));
  symlinkSync(at('real.md'), at('link.md'));
  mkdirSync(at('folder.md'));
  truncateSync(at('large.md'), 20_000_000);
  const strange = [
    'pipe.md',
    'device.md',
    'loop.md',
    'folder.md',
    'large.md',
    'gone.md',
    'null\0.md',
    'red\u001b[31m.md',
  ];
  for (const name of [...strange, 'link.md']) {
    await house.hook({
      session_id: 's-1',
      file_path: at(name),
      memory_type: 'Project',
      load_reason: 'session_start',
    });
  }
  assert.equal((await house.ask(ANTHROPIC, [{ user: 'go' }])).status, 200);
  assert.equal((await house.ask(ANTHROPIC, [{ user: 'go' }, { says: 'a' }, { user: 'on' }])).status, 200);
  assert.ok(house.lastBody().includes('Real body.'), 'a link to an ordinary file is followed, as agents follow it');
  assert.deepEqual(
    strange.map(name => house.notices.filter(said => said.startsWith(`The context file ${at(name)} was not`)).length),
    strange.map(() => 1),
  );
  const problems = (await house.logged('session/problem')).filter(({ code }) => code === 'source-unreadable');
  assert.deepEqual(new Set(problems.map(({ source }) => source)), new Set(strange.map(at)));
  assert.equal(problems.length, strange.length);
});
