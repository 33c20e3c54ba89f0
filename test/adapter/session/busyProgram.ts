/**
 * A session that works as fast as it can until it is killed. Arguments: the folder, the session's id. What its listener hears,
 * as a watcher would, it says on standard output: `<seq> <type>` a line.
 */
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { openSession } from '../../../adapter/openSession.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import {
  assistant,
  call,
  definition,
  discardLine,
  EPHEMERAL,
  result,
  user,
} from '../../protocol/lifecycle/lifecycleKit.ts';

const [, , folder = '', sessionId = ''] = argv;
const session = await openSession({
  agent: 'test',
  folder,
  sessionId,
  config: { announce: false, countTokens: false },
});
session.onEvent(({ seq, type }) => writeSync(1, `${seq} ${type}\n`));
const history: JsonObject[] = [];
for (let turn = session.state.lastTurn; ; turn++) {
  const id = `b${turn}`;
  session.loadSource({
    source: `${turn}.md`,
    class: 'context-file',
    text: definition(id, 'x'.repeat(turn % 7 === 0 ? 60_000 : 50)),
  });
  history.push(user(`question ${turn}`));
  await request(turn);
  history.push(call(`c${turn}`), result(`c${turn}`, EPHEMERAL.padEnd(turn % 5 === 0 ? 90_000 : 100, 'y')));
  session.inject(user(`note ${turn}`), 'plugin:x');
  await request(turn);
  history.push(assistant(`answer ${turn}`));
  session.control({ source: 'p', class: 'plugin', text: discardLine(id) });
  if (history.length > 40) {
    history.splice(0, 20, user(`summary ${turn}`));
  }
}

async function request(turn: number): Promise<void> {
  const { requestSequence, hash } = await session.buildRequest({
    messages: history,
    system: `system ${turn}`,
    config: { model: 'm' },
  });
  session.receipt(requestSequence, hash);
  session.response(requestSequence, { outcome: 'completed' });
}
