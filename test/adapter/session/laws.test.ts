import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { LawRun } from './lawRun.ts';
import { policies, steps } from './lawSteps.ts';

/** Laws end thousands of turns, and nobody waits here for a power cut. */
function withoutSync(t: TestContext): void {
  t.mock.method(fs, 'fdatasyncSync', () => undefined);
  t.mock.method(fs, 'fsyncSync', () => undefined);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

test('law: whatever a session is told, its log alone gives every request, its state is the fold of its file, and its views are those of a slow, obvious model', async t => {
  withoutSync(t);
  await fc.assert(
    fc.asyncProperty(policies, fc.array(steps, { maxLength: 25 }), async (policy, list) => {
      const run = await LawRun.start(t, { policy });
      for (const step of list) {
        await run.take(step);
      }
      await run.end();
    }),
    { numRuns: 150 },
  );
});

test('two ephemeral messages of the same size, the second in place of the first, are told apart', async t => {
  const run = await LawRun.start(t, {});
  await run.take({ does: 'compact', keep: 0, text: '<!--ephemeral-->\none, two' });
  await run.take({ does: 'turn', outcome: 'completed', text: '', kept: true });
  await run.take({ does: 'request' });
  await run.take({ does: 'compact', keep: 1, text: '<!--ephemeral-->\ntwo, one' });
  await run.end();
});

test('law: the same holds of a session whose tokens are counted and whose answers have a usage', async t => {
  withoutSync(t);
  await fc.assert(
    fc.asyncProperty(policies, fc.array(steps, { maxLength: 20 }), async (policy, list) => {
      const run = await LawRun.start(t, { policy, config: { countTokens: true } });
      for (const step of list) {
        await run.take(step);
      }
      await run.end();
    }),
    { numRuns: 40 },
  );
});

test('law: the same holds of a session whose log keeps no content', async t => {
  withoutSync(t);
  const once = steps.filter(({ does }) => !['resume', 'crash', 'fork'].includes(does));
  await fc.assert(
    fc.asyncProperty(policies, fc.array(once, { maxLength: 20 }), async (policy, list) => {
      const run = await LawRun.start(t, { policy, config: { content: 'hashes' } });
      for (const step of list) {
        await run.take(step);
      }
      await run.end();
    }),
    { numRuns: 50 },
  );
});
