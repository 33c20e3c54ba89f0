import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  cancelPendingHandoffs,
  PendingHandoffError,
  pendingHandoffs,
  putPendingHandoff,
  takePendingHandoff,
} from '../../local/pendingHandoff.ts';
import { UnsafeFolderError } from '../../local/unsafeFolderError.ts';
import { folderOf, run } from './kit.ts';

const TAKER = new URL('./handoffTaker.ts', import.meta.url);

function placeOf(t: TestContext) {
  const base = folderOf(t);
  const cwd = join(base, 'work');
  mkdirSync(cwd);
  return { folder: join(base, 'home', 'handoffs'), cwd, base };
}

const SAVED = { text: '{"a":"ü"}', file: '/h/saved.json', now: 5 };

test('a handoff waits for the next session of any agent in its folder, and is taken once', t => {
  const { folder, cwd, base } = placeOf(t);
  assert.equal(takePendingHandoff({ folder, cwd, agent: 'pi' }), undefined);
  assert.equal(putPendingHandoff({ folder, cwd }, SAVED), false);
  assert.equal(takePendingHandoff({ folder, cwd: base, agent: 'pi' }), undefined);
  const taken = takePendingHandoff({ folder, cwd, agent: 'pi' });
  assert.deepEqual(taken, { cwd, file: SAVED.file, put: 5, text: SAVED.text });
  assert.equal(takePendingHandoff({ folder, cwd, agent: 'pi' }), undefined);
  assert.deepEqual(readdirSync(folder), []);
});

test('one for an agent is given to that agent alone, and before one for any', t => {
  const { folder, cwd } = placeOf(t);
  putPendingHandoff({ folder, cwd }, { ...SAVED, text: 'any' });
  putPendingHandoff({ folder, cwd, agent: 'pi' }, { ...SAVED, text: 'pi' });
  assert.equal(takePendingHandoff({ folder, cwd, agent: 'codex' })?.text, 'any');
  assert.equal(takePendingHandoff({ folder, cwd, agent: 'codex' }), undefined);
  assert.deepEqual(takePendingHandoff({ folder, cwd, agent: 'pi' }), { ...TAKEN, cwd, agent: 'pi', text: 'pi' });
});

const TAKEN = { file: SAVED.file, put: 5 };

test('the last one that was put counts, and whoever put it is told that another one waited', t => {
  const { folder, cwd } = placeOf(t);
  putPendingHandoff({ folder, cwd }, { ...SAVED, text: 'first' });
  assert.equal(putPendingHandoff({ folder, cwd }, { ...SAVED, text: 'second' }), true);
  assert.equal(takePendingHandoff({ folder, cwd })?.text, 'second');
});

test('a folder is the same by whatever link it was reached', t => {
  const { folder, cwd, base } = placeOf(t);
  symlinkSync(cwd, join(base, 'link'));
  putPendingHandoff({ folder, cwd: join(base, 'link') }, SAVED);
  assert.equal(takePendingHandoff({ folder, cwd })?.text, SAVED.text);
});

test('what waits is listed with its folder and agent, and can be taken back', t => {
  const { folder, cwd, base } = placeOf(t);
  assert.deepEqual(pendingHandoffs(folder), { found: [], refused: [] });
  putPendingHandoff({ folder, cwd }, SAVED);
  putPendingHandoff({ folder, cwd, agent: 'pi' }, SAVED);
  putPendingHandoff({ folder, cwd: base }, SAVED);
  const shown = pendingHandoffs(folder).found.map(one => [one.cwd, one.agent]);
  assert.deepEqual(new Set(shown.map(String)), new Set([[cwd, undefined].join(), [cwd, 'pi'].join(), `${base},`]));
  assert.deepEqual(
    cancelPendingHandoffs({ folder, cwd, agent: 'pi' }).map(({ agent }) => agent),
    ['pi'],
  );
  assert.deepEqual(
    cancelPendingHandoffs({ folder, cwd }).map(({ agent }) => agent),
    [undefined],
  );
  assert.deepEqual(cancelPendingHandoffs({ folder, cwd }), []);
  assert.deepEqual(
    pendingHandoffs(folder).found.map(one => one.cwd),
    [base],
  );
});

test('folder and file are the user’s alone; what others could have written is refused by name and stays', t => {
  const { folder, cwd } = placeOf(t);
  putPendingHandoff({ folder, cwd }, SAVED);
  const [name = ''] = readdirSync(folder);
  const path = join(folder, name);
  assert.deepEqual([statSync(folder).mode & 0o777, statSync(path).mode & 0o777], [0o700, 0o600]);
  const refused = (pattern: RegExp) =>
    assert.throws(
      () => takePendingHandoff({ folder, cwd }),
      error => error instanceof UnsafeFolderError && pattern.test(error.message) && error.message.includes(folder),
    );
  chmodSync(path, 0o644);
  refused(/Other users have access to the file .*Run "chmod 600 /);
  assert.deepEqual(
    pendingHandoffs(folder).refused.map(sentence => sentence.includes(path)),
    [true],
  );
  chmodSync(path, 0o600);
  chmodSync(folder, 0o755);
  refused(/Other users have access to the folder/);
  assert.throws(() => pendingHandoffs(folder), UnsafeFolderError);
  assert.throws(() => putPendingHandoff({ folder, cwd }, SAVED), UnsafeFolderError);
  chmodSync(folder, 0o700);
  assert.equal(takePendingHandoff({ folder, cwd })?.text, SAVED.text);
});

test('a file that is no waiting handoff is a named error, and is left where it is', t => {
  const { folder, cwd } = placeOf(t);
  putPendingHandoff({ folder, cwd }, SAVED);
  const [name = ''] = readdirSync(folder);
  const path = join(folder, name);
  for (const [content, reason] of [
    ['{', /it is no JSON\. Remove that file/],
    ['null', /its content is no object/],
    [JSON.stringify({ version: 1, cwd, file: '', put: 1 }), /text/],
    [JSON.stringify({ version: 2, cwd, file: '', put: 1, text: '' }), /its version is 2, and this program reads 1/],
  ] as const) {
    writeFileSync(path, content);
    assert.throws(
      () => takePendingHandoff({ folder, cwd }),
      error => error instanceof PendingHandoffError && reason.test(error.message) && error.message.includes(path),
      content,
    );
    assert.deepEqual(readdirSync(folder), [name]);
  }
});

test('a text that is too large is not put', t => {
  const { folder, cwd } = placeOf(t);
  const large = 'x'.repeat(16 * 1024 * 1024 + 1);
  assert.throws(() => putPendingHandoff({ folder, cwd }, { ...SAVED, text: large }), RangeError);
  assert.deepEqual(pendingHandoffs(folder).found, []);
});

test('of many sessions that begin at once exactly one takes it', { timeout: 60_000 }, async t => {
  const { folder, cwd } = placeOf(t);
  putPendingHandoff({ folder, cwd }, SAVED);
  const takers = await Promise.all(Array.from({ length: 6 }, () => run(TAKER, [folder, cwd])));
  assert.deepEqual(
    takers.map(({ code }) => code),
    takers.map(() => 0),
  );
  const taken = takers.flatMap(({ lines }) => lines).filter(line => line !== 'nothing');
  assert.deepEqual(taken, [SAVED.text]);
});
