import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs, { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { bootId } from '../../local/bootId.ts';
import { LogInUseError } from '../../local/logErrors.ts';
import { readLog } from '../../local/logFile.ts';
import { lockLog, writerOf } from '../../local/logLock.ts';
import { createLog, logName, logPath, resumeLog } from '../../local/openLog.ts';
import { processNamespace } from '../../local/processAlive.ts';
import { inTime } from '../server/deadline.ts';
import { folderOf, HEADER, noteAt, start } from './kit.ts';

const NAME = logName('test', 's');
const PROGRAM = new URL('logProgram.ts', import.meta.url);

/** A session in a process of its own, told what to do by lines. */
class Other {
  readonly process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #closed: Promise<unknown>;

  constructor(t: TestContext, folder: string) {
    this.process = start(PROGRAM, ['hold', folder, NAME]);
    this.#closed = once(this.process, 'close');
    const { stdout } = this.process;
    assert.ok(stdout);
    this.#lines = createInterface(stdout)[Symbol.asyncIterator]();
    t.after(() => this.process.kill('SIGKILL'));
  }

  async next(): Promise<string | undefined> {
    const { value, done } = await inTime(this.#lines.next(), 'a line of the other process');
    return done === true ? undefined : value;
  }

  async write(): Promise<string | undefined> {
    this.process.stdin?.write('go\n');
    return this.next();
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await inTime(this.#closed, 'the end of the other process');
  }
}

test('two writers: the second one is refused by name and writes nothing, whether or not it began the log', async t => {
  const folder = folderOf(t);
  const path = logPath(folder, NAME);
  const first = new Other(t, folder);
  assert.equal(await first.next(), 'open');
  assert.equal(await first.write(), 'wrote 0');
  const { pid } = first.process;
  const refused = new LogInUseError(path, `process ${pid} writes it`);
  assert.equal(refused.message, `The session log ${path} is in use: process ${pid} writes it.`);
  await assert.rejects(resumeLog(path), refused);
  assert.throws(() => createLog({ folder, name: NAME, header: HEADER }), refused);
  assert.equal(writerOf(path), `process ${pid} writes it`);
  const second = new Other(t, folder);
  assert.equal(await second.next(), `LogInUseError: ${refused.message}`);
  // What the refused one does then: it goes on in a copy.
  const { header, events } = await readLog(path);
  const fork = createLog({ folder, name: logName('test'), header: header ?? HEADER, events });
  fork.append([noteAt(1)]);
  fork.close();
  assert.equal(await first.write(), 'wrote 1');
  first.process.stdin?.end();
  assert.equal(await first.next(), 'closed');
  assert.equal((await readLog(path)).events.length, 2);
  assert.equal(writerOf(path), undefined);
});

test('two writers: the lock of a process that was killed is taken over at once', async t => {
  const folder = folderOf(t);
  const path = logPath(folder, NAME);
  const first = new Other(t, folder);
  assert.equal(await first.next(), 'open');
  assert.equal(await first.write(), 'wrote 0');
  await first.kill();
  assert.equal(writerOf(path), undefined);
  const resumed = await resumeLog(path);
  assert.deepEqual(
    resumed?.log.events.map(({ seq }) => seq),
    [0],
  );
  assert.equal(writerOf(path), `process ${process.pid} writes it`);
  await assert.rejects(resumeLog(path), LogInUseError, 'one process counts as two as well');
  resumed?.writer?.close();
  assert.deepEqual(readdirSync(folder), [`${NAME}.jsonl`], 'nothing of the dead lock is left');
});

test('two writers: of many processes that find the same dead lock at once, exactly one wins', async t => {
  for (let round = 0; round < 3; round++) {
    const folder = folderOf(t);
    const first = new Other(t, folder);
    assert.equal(await first.next(), 'open');
    await first.kill();
    const others = Array.from({ length: 6 }, () => new Other(t, folder));
    const said = await Promise.all(others.map(other => other.next()));
    assert.equal(said.filter(line => line === 'open').length, 1, said.join('\n'));
    assert.equal(said.filter(line => line?.startsWith('LogInUseError')).length, 5, said.join('\n'));
    await Promise.all(others.map(other => other.kill()));
  }
});

/** Puts a lock of somebody else in place. */
function lockOf(path: string, holder: object): string {
  const file = `${path}.lock.3`;
  writeFileSync(file, JSON.stringify({ pid: process.pid, bootId: bootId(), host: hostname(), since: 1, ...holder }));
  return file;
}

test('two writers: a process number that belongs to another program by now holds no lock', t => {
  const folder = folderOf(t);
  const path = logPath(folder, NAME);
  const namespace = processNamespace();
  lockOf(path, { ...(namespace === undefined ? {} : { namespace }), processStart: '1' });
  lockLog(path).release();
});

test('two writers: a lock from before the machine was started anew is no lock', t => {
  const path = logPath(folderOf(t), NAME);
  lockOf(path, { bootId: 'another-start' });
  assert.equal(writerOf(path), undefined);
  lockLog(path).release();
});

test('two writers: who was slow to take over a dead lock does not win over one that began anew meanwhile', t => {
  const path = logPath(folderOf(t), NAME);
  const dead = `${path}.lock.1`;
  writeFileSync(dead, JSON.stringify({ pid: process.pid, bootId: 'another-start', host: hostname(), since: 1 }));
  const { linkSync } = fs;
  let release = () => {};
  t.mock.method(fs, 'linkSync', (from: string, to: string) => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
    // Another one took the dead lock over and let go, and the next one found no lock at all.
    rmSync(dead);
    const lock = lockLog(path);
    release = () => lock.release();
    linkSync(from, to);
  });
  syncBuiltinESMExports();
  assert.throws(() => lockLog(path), new LogInUseError(path, `process ${process.pid} writes it`));
  assert.deepEqual(readdirSync(dirname(path)), [basename(dead)]);
  release();
});

test('two writers: another machine or container that shares the folder counts as living until the log was left alone for a day', t => {
  const folder = folderOf(t);
  createLog({ folder, name: NAME, header: HEADER }).close();
  const path = logPath(folder, NAME);
  for (const elsewhere of [{ host: 'far-away', bootId: 'x' }, { namespace: 'pid:[1]' }]) {
    const file = lockOf(path, elsewhere);
    const host = 'host' in elsewhere ? elsewhere.host : hostname();
    assert.throws(
      () => lockLog(path),
      new LogInUseError(
        path,
        `a process of another machine or container (${host}) writes it; when that one is gone, remove ${file}`,
      ),
    );
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    utimesSync(path, twoDaysAgo, twoDaysAgo);
    lockLog(path).release();
    const now = Date.now() / 1000;
    utimesSync(path, now, now);
  }
});

test('two writers: a lock that is just being made counts, one that a crash left half made does not', t => {
  const path = logPath(folderOf(t), NAME);
  for (const text of ['', '{"pid":', '[]', '{"pid":"x"}']) {
    writeFileSync(`${path}.lock.1`, text);
    assert.throws(() => lockLog(path), new LogInUseError(path, 'another process is opening it'));
    utimesSync(`${path}.lock.1`, 1, 1);
    lockLog(path).release();
  }
});

test('two writers: a lock says who holds it, and no other log is meant', t => {
  const folder = folderOf(t);
  const lock = lockLog(logPath(folder, NAME));
  const [name = ''] = readdirSync(folder);
  assert.equal(name, `${NAME}.jsonl.lock.1`);
  const said: unknown = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
  assert.ok(typeof said === 'object' && said !== null && 'pid' in said && said.pid === process.pid);
  const other = lockLog(logPath(folder, logName('test', 'other')));
  other.release();
  lock.release();
  lock.release();
  assert.deepEqual(readdirSync(folder), []);
});
