import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceDrift } from '../../../client/editor/sourceDrift.ts';
import type { PanelSession } from '../../../client/session/sessionModel.ts';
import { sha256, TestSession } from './session.ts';

const TEXT = '<!--BLOCK_ID:style-->\ntext\n<!--/BLOCK_ID:style-->\n';

/** Files in memory; `change` tells who watches. */
function fakeFiles(texts: Record<string, string | undefined>) {
  const watched = new Map<string, () => void>();
  const reads: string[] = [];
  return {
    reads,
    watched,
    read: (path: string) => {
      reads.push(path);
      return Promise.resolve(texts[path]);
    },
    watch: (path: string, changed: () => void) => {
      watched.set(path, changed);
      return { dispose: () => void watched.delete(path) };
    },
    change(path: string, text: string | undefined) {
      texts[path] = text;
      watched.get(path)?.();
    },
  };
}

function sessionWith(source: string) {
  const { state } = new TestSession().loaded(source, ['style']).activated(source, 'style', TEXT);
  const block = state.lifecycle.blocks.get('style');
  assert.ok(block);
  return { session: { header: { cwd: '/w' } } as PanelSession, block };
}

/** A session in which each of these files has an active block. */
function sessionOf(...sources: readonly string[]) {
  const test = new TestSession();
  for (const source of sources) {
    test.loaded(source, [source]).activated(source, source, TEXT);
  }
  return { header: { cwd: '/w' }, test, state: test.state };
}

function ask(drift: SourceDrift, { header, state }: Pick<ReturnType<typeof sessionOf>, 'header' | 'state'>): void {
  for (const block of state.lifecycle.blocks.values()) {
    drift.isChanged({ header } as PanelSession, block);
  }
}

function more(drift: SourceDrift): Promise<void> {
  return new Promise(resolve => {
    const ends = drift.onMore(() => {
      ends.dispose();
      resolve();
    });
  });
}

test('a block is compared with its file, which is read once and again when it changes', async () => {
  const files = fakeFiles({ '/w/AGENTS.md': `# Rules\n${TEXT}` });
  const drift = new SourceDrift(files, 'posix', sha256);
  const { session, block } = sessionWith('AGENTS.md');
  const first = more(drift);
  assert.equal(drift.isChanged(session, block), undefined, 'not known yet');
  await first;
  assert.equal(drift.isChanged(session, block), false);
  for (const [text, changed] of [
    [TEXT.replace('text', 'other'), true],
    [`${TEXT}more text outside of the block`, false],
    ['# Nothing left\n', true],
    [TEXT + TEXT, true],
    [TEXT, false],
  ] as const) {
    const next = more(drift);
    files.change('/w/AGENTS.md', text);
    await next;
    assert.equal(drift.isChanged(session, block), changed, text);
  }
  assert.equal(files.reads.length, 6);
});

test('what cannot be read is not known, and no file of another machine is touched', async () => {
  const files = fakeFiles({});
  const posix = new SourceDrift(files, 'posix', sha256);
  const gone = sessionWith('/w/gone.md');
  const read = more(posix);
  posix.isChanged(gone.session, gone.block);
  await read;
  assert.equal(posix.isChanged(gone.session, gone.block), undefined);
  const windows = new SourceDrift(files, 'windows', sha256);
  for (const source of ['\\\\evil\\share\\AGENTS.md', '//evil/share/AGENTS.md', '', 'a\0b']) {
    const { session, block } = sessionWith(source);
    assert.equal(windows.isChanged(session, block), undefined, source);
  }
  assert.deepEqual(files.reads, ['/w/gone.md']);
});

test('issue 4: a file that was there and was renamed or deleted has changed, and is as before when it comes back', async () => {
  const files = fakeFiles({ '/w/AGENTS.md': TEXT });
  const drift = new SourceDrift(files, 'posix', sha256);
  const { session, block } = sessionWith('AGENTS.md');
  const first = more(drift);
  drift.isChanged(session, block);
  await first;
  for (const [text, changed] of [
    [undefined, true],
    [undefined, true],
    [TEXT, false],
  ] as const) {
    const next = more(drift);
    files.change('/w/AGENTS.md', text);
    await next;
    assert.equal(drift.isChanged(session, block), changed);
  }
});

test('no more than 300 files are watched, and none afterwards', () => {
  const files = fakeFiles({});
  const drift = new SourceDrift(files, 'posix', sha256);
  for (let index = 0; index < 1_000; index++) {
    const { session, block } = sessionWith(`/w/${index}.md`);
    drift.isChanged(session, block);
  }
  assert.equal(files.watched.size, 300);
  assert.ok(files.watched.has('/w/0.md'));
  drift.dispose();
  assert.equal(files.watched.size, 0);
});

test('issue 4: only files of shown sessions are watched; one that is needed by none any more makes place for another', () => {
  const files = fakeFiles({});
  const drift = new SourceDrift(files, 'posix', sha256);
  const shown = (...sessions: readonly Pick<ReturnType<typeof sessionOf>, 'header' | 'state'>[]) => {
    drift.keepOnly(sessions as unknown as readonly PanelSession[]);
    return [...files.watched.keys()];
  };
  const first = sessionOf('/w/both.md', '/w/first.md', '/w/gone.md');
  const second = sessionOf('both.md', 'second.md');
  ask(drift, first);
  ask(drift, second);
  assert.deepEqual(shown(first, second), ['/w/both.md', '/w/first.md', '/w/gone.md', '/w/second.md']);
  const later = { ...first, state: first.test.discarded('/w/gone.md', '/w/gone.md', 2).state };
  assert.deepEqual(shown(later, second), ['/w/both.md', '/w/first.md', '/w/second.md'], 'its last block was discarded');
  assert.deepEqual(shown(second), ['/w/both.md', '/w/second.md'], 'a session was removed');
  const many = sessionOf(...Array.from({ length: 299 }, (_, index) => `/w/${index}.md`));
  ask(drift, many);
  assert.equal(files.watched.size, 300);
  assert.ok(!files.watched.has('/w/298.md'));
  assert.equal(shown(many).length, 298);
  ask(drift, many);
  assert.ok(files.watched.has('/w/298.md'));
  assert.deepEqual(shown(), []);
});

test('issue 4: a file that was given back while it was to be read is not read, and is read anew when it is asked for', async () => {
  const files = fakeFiles({ '/w/one.md': TEXT, '/w/two.md': TEXT });
  const drift = new SourceDrift(files, 'posix', sha256);
  const both = sessionOf('/w/one.md', '/w/two.md');
  ask(drift, both);
  drift.keepOnly([]);
  const { session, block } = sessionWith('/w/two.md');
  const known = more(drift);
  drift.isChanged(session, block);
  await known;
  assert.equal(drift.isChanged(session, block), false);
  assert.deepEqual(files.reads, ['/w/one.md', '/w/two.md']);
});
