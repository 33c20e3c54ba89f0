/**
 * A session in a process of its own. Arguments: what to do, the folder, the session's id. It says on standard output what
 * happened, one thing a line.
 */
import { writeSync } from 'node:fs';
import { argv, stdin } from 'node:process';
import { openSession } from '../../../adapter/openSession.ts';

const [, , what = '', folder = '', sessionId = ''] = argv;
const session = await openSession({ agent: 'test', folder, sessionId, config: { countTokens: what !== 'hold' } });
const history = [{ role: 'user', content: 'from another process' }];
const { requestSequence } = await session.buildRequest({ messages: history, config: { model: 'm' } });
say(`id ${session.id}`);
say(`built ${requestSequence}`);
if (what === 'hold') {
  // Until somebody ends it.
  for await (const _ of stdin) {
    const next = await session.buildRequest({ messages: history, config: { model: 'm' } });
    say(`built ${next.requestSequence}`);
  }
}
if (what === 'close' || what === 'hold') {
  await session.close();
  say('closed');
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
