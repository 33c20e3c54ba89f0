import assert from 'node:assert/strict';
import fs, { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { PairingError } from '../../../adapter/requestErrors.ts';
import { readLogText } from '../../../protocol/log/logReader.ts';
import { LawRun } from './lawRun.ts';
import { policies, steps } from './lawSteps.ts';
import { checkedSession, dataOf, homeOf } from './sessionKit.ts';

/** Where the file of a session ends when the power fails: a part of the whole from 0 to 1. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 });
const quiet = steps.filter(({ does }) => !['resume', 'crash', 'fork'].includes(does));

test('law: wherever the file of a session was cut off, the session goes on, with every request before the cut still rebuilt', async t => {
  t.mock.method(fs, 'fdatasyncSync', () => undefined);
  t.mock.method(fs, 'fsyncSync', () => undefined);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  await fc.assert(
    fc.asyncProperty(policies, fc.array(quiet, { maxLength: 20 }), cuts, async (policy, list, ends) => {
      const run = await LawRun.start(t, { policy });
      for (const step of list) {
        await run.take(step);
      }
      const { logFile } = run.checked.session;
      const before = run.checked.sealed;
      const { transcript } = run;
      await run.checked.close();
      const bytes = readFileSync(logFile);
      for (const end of ends) {
        const folder = homeOf(t);
        const whole = bytes.indexOf('\n') + 1;
        const cut = bytes.subarray(0, whole + Math.round(end * (bytes.length - whole)));
        mkdirSync(join(folder, 'sessions'), { mode: 0o700 });
        const path = join(folder, 'sessions', basename(logFile));
        writeFileSync(path, cut, { mode: 0o600 });
        const left = dataOf(readLogText(cut.toString('utf8')).events, 'request/sealed').length;

        const cutOff = await checkedSession(t, { folder, policy, sessionId: 's1' });
        assert.deepEqual([cutOff.session.id, cutOff.session.notices], ['s1', []]);
        cutOff.sealed.push(...before.slice(0, left));
        try {
          assert.equal((await cutOff.turn(transcript)).requestSequence, left + 1);
        } catch (error) {
          assert.ok(error instanceof PairingError, String(error));
        }
        const file = await cutOff.close();
        assert.equal(file.tornLines, cut.at(-1) === 10 ? 0 : 1);
        assert.deepEqual(readFileSync(path).subarray(0, cut.length), cut, 'nothing of the old file changed');
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: 100 },
  );
});
