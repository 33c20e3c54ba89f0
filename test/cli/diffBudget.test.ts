import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { CONFIG, layerOn, talk, WORDS } from '../adapter/budget/budgetLayerKit.ts';
import { ask, homeOf, text } from './sessionKit.ts';

test('tiers 4: diff names for each message that a compression took the summary that stands for it, and for a summary its own edit', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({
    sessionId: 'long-1',
    counter: WORDS,
    config: { announce: false, countTokens: true, budget: layerOn() },
  });
  const messages = talk(81, 10);
  for (let length = 1; length <= messages.length; length += 2) {
    await ask(session, { config: CONFIG, messages: messages.slice(0, length) });
  }
  const passes = session.state.budget.compressions;
  await ask(session, { config: CONFIG, messages: [...messages, text('assistant', 'Done.'), text('user', 'Go on.')] });
  assert.equal(passes, 1);
  await session.close();
  const { stdout: log } = await cli('log', 'long-1', '--type', 'budget/pass,budget/edit', '--json');
  const events = log
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as LogEvent);
  const [pass = assert.fail()] = events;
  const { requestSequence } = pass.data as unknown as { readonly requestSequence: number };
  const edits = events.slice(1).map(({ seq }) => `#${seq}`);
  assert.ok(edits.length > 1);
  const { stdout } = await cli('diff', 'long-1', String(requestSequence - 1), String(requestSequence));
  const causes = stdout.split('\n').filter(line => line.includes('because of'));
  const gone = stdout.split('\n').filter(line => /^ {2}\[\d+\]/.test(line));
  assert.ok(causes.length > edits.length);
  assert.ok(gone.length > edits.length);
  for (const line of causes) {
    assert.match(line, /^ {4}because of #\d+ budget\/edit: A summary by \S+ stands for messages of the history /);
  }
  assert.deepEqual(new Set(causes.map(line => /#\d+/.exec(line)?.[0])), new Set(edits));
});
