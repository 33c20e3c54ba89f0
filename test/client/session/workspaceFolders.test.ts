import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutIcons } from '../../../client/session/plainWords.ts';
import { WorkspaceFolders } from '../../../client/session/workspaceFolders.ts';
import { privateFolder } from '../../adapter/host/hostKit.ts';

test('an agent works in the workspace when its folder is one of it, lies in one or around one', () => {
  const folders = new WorkspaceFolders(() => ['/work/app', '/none']);
  for (const cwd of ['/work/app', '/work/app/', '/work/app/src/deep', '/work', '/', '/none/x', '/work/app/..name']) {
    assert.equal(folders.hold(cwd), true, cwd);
  }
  for (const cwd of ['/work/application', '/work/other', '/nonex', 'work/app', '', undefined]) {
    assert.equal(folders.hold(cwd), false, cwd);
  }
});

test('a window without folders has no agents of its own', () => {
  assert.equal(new WorkspaceFolders(() => []).hold('/'), false);
});

test('links are followed on both sides, and answers are asked for again after the folders have changed', t => {
  const folder = realpathSync(privateFolder(t));
  mkdirSync(join(folder, 'real', 'inside'), { recursive: true });
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  let ours = [join(folder, 'link')];
  const folders = new WorkspaceFolders(() => ours);
  const inside = join(folder, 'real', 'inside');
  assert.equal(folders.hold(inside), true);
  ours = ['/somewhere/else'];
  assert.equal(folders.hold(inside), true);
  folders.forget();
  assert.equal(folders.hold(inside), false);
});

test('a name from a session shows no icon in a pick', () => {
  assert.equal(withoutIcons('$(error) agent'), '\\$(error) agent');
});
