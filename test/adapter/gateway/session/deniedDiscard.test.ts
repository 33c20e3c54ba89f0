import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deniedInMessage } from '../../../../adapter/gateway/session/deniedDiscard.ts';
import { DIALECTS } from './dialects.ts';
import { GatewayHouse } from './gatewayHouse.ts';

const BLOCK = '<!--BLOCK_ID:plan-->\nPlan.\n<!--/BLOCK_ID:plan-->\n';

for (const dialect of DIALECTS) {
  test(`a discard in a message to ${dialect.agent} is denied, and its person is told once what would work`, async t => {
    const house = await GatewayHouse.open(t, [{ text: 'no' }, { text: 'no' }], { files: { 'AGENTS.md': BLOCK } });
    const first = [{ user: 'Forget it.\n<!--DISCARD_BLOCK:plan-->\n' }];
    await house.ask(dialect, first);
    await house.ask(dialect, [...first, { says: 'no' }, { user: 'Really.\n<!--DISCARD_BLOCK:plan-->\n' }]);
    assert.equal((await house.logged('discard/denied')).length, 2);
    assert.deepEqual(
      house.notices.filter(sentence => sentence.includes('discard')),
      [
        'A line in your message discards nothing. To drop block plan, type in another terminal while the agent runs: context-lifecycle discard s-1 plan',
      ],
    );
  });
}

test('what would work holds no name of a session that a shell would obey, and other denials say nothing', () => {
  const denied = (asker: string) => ({
    seq: 1,
    time: 1,
    type: 'discard/denied',
    data: { class: asker, blockId: 'plan', source: 's', trigger: 'message', rule: 'no rule', requestSequence: 1 },
  });
  assert.match(deniedInMessage(denied('user'), 's; rm -rf ~') ?? '', /: context-lifecycle discard SESSION plan$/);
  assert.equal(deniedInMessage(denied('tool-result'), 's-1'), undefined);
});
