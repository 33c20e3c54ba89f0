import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ask, homeOf, INPUT, text } from './sessionKit.ts';

test('show and diff of a log whose events hold no message or no header name the event, and are no unexpected error', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'edited-1' });
  await ask(session, { ...INPUT, messages: [text('user', 'Look.')] });
  await session.close();
  const lines = readFileSync(session.logFile, 'utf8').split('\n');
  const at = (type: string): number => lines.findIndex(line => line.startsWith(`{"type":"${type}"`));
  const faults = [
    {
      type: 'host/message',
      event: { type: 'context/message', surfaceOp: 'append', data: { content: [], source: {} } },
      said: `#${at('host/message') - 1} of the log cannot be used, because its source has no kind.`,
    },
    {
      type: 'request/header',
      event: { type: 'x/y', data: {}, ignorable: true },
      said: `#${at('step/start') - 1} of the log cannot be used, because no header was logged for this step.`,
    },
  ];
  for (const { type, event, said } of faults) {
    const seq = at(type) - 1;
    writeFileSync(session.logFile, lines.with(at(type), JSON.stringify({ ...event, seq, time: 1 })).join('\n'));
    for (const args of [
      ['show', 'edited-1', '1'],
      ['show', 'edited-1', '1', '--format', 'text'],
      ['diff', 'edited-1', '1', '1'],
    ]) {
      assert.deepEqual(await cli(...args), {
        stdout: '',
        stderr: `context-lifecycle: edited-1: The request cannot be built: ${said}\n`,
        exitCode: 2,
      });
    }
  }
});
