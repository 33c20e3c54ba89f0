import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePlace } from '../../../client/views/sourcePlace.ts';

test('a source is a file by its whole name, or below the folder of the session', () => {
  assert.deepEqual(filePlace('/work/a.md', undefined, 3), { path: '/work/a.md', line: 3 });
  assert.deepEqual(filePlace('C:\\work\\a.md', undefined, undefined), { path: 'C:\\work\\a.md', line: 1 });
  assert.deepEqual(filePlace('a#b?c.md', '/work/', 1), { path: '/work/a#b?c.md', line: 1 });
});

test('issue 4: no name and no folder that a session gives leads to another machine or another scheme', () => {
  const names = [
    '//server/share/a.md',
    '\\\\server\\share\\a.md',
    '/\\server\\share\\a.md',
    '\\/server/share/a.md',
    'file://server/share/a.md?x',
    'vscode://a.b/c',
    'command:x',
  ];
  for (const name of names) {
    for (const folder of ['/work', 'C:\\work', undefined]) {
      assert.equal(filePlace(name, folder, 1), undefined, name);
    }
    assert.equal(filePlace('a.md', name, 1), undefined, `below ${name}`);
  }
});
