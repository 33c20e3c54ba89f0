import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { readLog } from '../../local/logFile.ts';
import { logName, logPath } from '../../local/openLog.ts';
import { folderOf, textOf } from './kit.ts';

const LOGS = 42;
const KILLS_PER_LOG = 5;

/** What came of one killed session. */
interface Killed {
  /** Last seq that it announced; absent when it was killed before the first. */
  readonly announced: number | undefined;
  readonly errors: string;
}

/** The program as one file, for most of a short life would else go into reading types. */
async function bundled(folder: string): Promise<string> {
  const outfile = join(folder, 'busySession.mjs');
  const source = fileURLToPath(new URL('busySession.ts', import.meta.url));
  await build({ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return outfile;
}

async function killOnce(program: string, folder: string, name: string): Promise<Killed> {
  const child = spawn(process.execPath, [program, folder, name], { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const output = textOf(child.stdout);
  const errors = textOf(child.stderr);
  // Many die while they write; some while they start, read the log or take the lock.
  if (Math.random() < 0.85) {
    await Promise.race([once(child.stdout, 'data'), closed]);
    await wait(Math.random() * 25);
  } else {
    await wait(Math.random() * 150);
  }
  child.kill('SIGKILL');
  await closed;
  const lines = (await output).split('\n').slice(0, -1);
  const last = lines.at(-1);
  return { announced: last === undefined ? undefined : Number(last), errors: await errors };
}

test('kill -9: at 210 random points of busy sessions, every log opens, no announced event is missing, and the session goes on', async t => {
  const home = folderOf(t);
  const program = await bundled(home);
  let kills = 0;
  let torn = 0;
  let announcing = 0;
  let events = 0;
  const oneLog = async (): Promise<void> => {
    const folder = join(home, 'sessions');
    const name = logName('test');
    const path = logPath(folder, name);
    let before = 0;
    for (let kill = 0; kill < KILLS_PER_LOG; kill++) {
      const { announced, errors } = await killOnce(program, folder, name);
      assert.equal(errors, '');
      kills++;
      const log = await readLog(path).catch((error: NodeJS.ErrnoException) => error);
      if (log instanceof Error) {
        assert.equal(log.code, 'ENOENT');
        assert.equal(announced, undefined, 'a log that is not there was never written to');
        continue;
      }
      assert.equal(log.fault, undefined);
      assert.ok(log.header);
      assert.ok(log.events.length >= before, 'nothing of an earlier session is lost');
      assert.ok((announced ?? -1) < log.events.length, `announced ${announced}, but there are ${log.events.length}`);
      announcing += announced === undefined ? 0 : 1;
      torn += log.torn ? 1 : 0;
      before = log.events.length;
    }
    events += before;
    rmSync(path, { force: true });
  };
  const left = Array.from({ length: LOGS }, () => oneLog);
  const worker = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) {
      await next();
    }
  };
  await Promise.all(Array.from({ length: Math.min(3, availableParallelism()) }, worker));
  assert.equal(kills, LOGS * KILLS_PER_LOG);
  assert.ok(announcing > kills / 2, `only ${announcing} of ${kills} sessions were killed after they had written`);
  t.diagnostic(`${kills} kills, ${announcing} of them amid ${events} events; ${torn} left a torn line`);
});
