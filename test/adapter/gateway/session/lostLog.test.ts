import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ANTHROPIC, type Said } from './dialects.ts';
import { GatewayHouse } from './gatewayHouse.ts';

const FIRST: readonly Said[] = [{ user: 'go' }];
const SECOND: readonly Said[] = [...FIRST, { says: 'a' }, { user: 'more' }];

for (const [what, lose] of [
  ['was removed', (path: string) => rmSync(path)],
  ['was written to by another program', (path: string) => appendFileSync(path, '{}\n')],
] as const) {
  test(`a session whose log ${what} refuses one request, and goes on with a new log at the next`, async t => {
    const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }]);
    await house.ask(ANTHROPIC, FIRST);
    const folder = join(house.home, 'sessions');
    const [name = ''] = readdirSync(folder).filter(file => file.endsWith('.jsonl'));
    lose(join(folder, name));
    const refused = await house.ask(ANTHROPIC, SECOND);
    assert.equal(refused.status, 412);
    assert.match(refused.text, /session log/);
    assert.equal(house.bodies.length, 1, 'nothing leaves without a log');
    const answered = await house.ask(ANTHROPIC, SECOND);
    assert.equal(answered.status, 200, answered.text);
    assert.equal(house.bodies.length, 2);
  });
}
