import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentTags } from '../../../client/editor/documentTags.ts';
import { RefusedDiscards } from '../../../client/editor/refusedDiscards.ts';
import { isSourceOf } from '../../../client/editor/sourceFile.ts';
import { type TagMark, tagMarks } from '../../../client/editor/tagMarks.ts';
import { sha256, TestSession } from './session.ts';

const FILE = '/w/AGENTS.md';

function blockText(id: string, content = 'text'): string {
  return `<!--BLOCK_ID:${id}-->\n${content}\n<!--/BLOCK_ID:${id}-->\n`;
}

function marks(text: string, session: TestSession, file = FILE): readonly TagMark[] {
  const isThis = isSourceOf(file, '/w', 'posix');
  const refused = new RefusedDiscards().of(session.state, isThis);
  return tagMarks(documentTags(text, sha256), session.state, isThis, refused);
}

function told(list: readonly TagMark[]): readonly string[] {
  return list.map(({ line, blockId, state }) => `${line} ${blockId} ${state}`);
}

test('a block is active since its request, on its opening line, whatever name the source has', () => {
  const text = blockText('style');
  for (const source of ['AGENTS.md', FILE, './AGENTS.md']) {
    const session = new TestSession().loaded(source, ['style']).activated(source, 'style', text);
    const [mark, ...others] = marks(`# Rules\n\n${text}`, session);
    assert.deepEqual(others, []);
    assert.deepEqual(
      { state: mark?.state, line: mark?.line, endLine: mark?.endLine, sent: mark?.sent, changed: mark?.changed },
      { state: 'active', line: 2, endLine: 4, sent: false, changed: false },
    );
    assert.equal(marks(`# Rules\n\n${text}`, session.request())[0]?.sent, true);
  }
});

test('a document that is no source of the session has no marks', () => {
  const text = blockText('style');
  const session = new TestSession().loaded(FILE, ['style']).activated(FILE, 'style', text);
  assert.deepEqual(marks(text, session, '/w/docs/AGENTS.md'), []);
  assert.deepEqual(marks('no tags here\n', session), []);
});

test('a text that was changed since is drifted; other line ends and a last one are no change', () => {
  const text = blockText('style');
  const session = new TestSession().loaded(FILE, ['style']).activated(FILE, 'style', text);
  const state = (now: string): string | undefined => marks(now, session)[0]?.state;
  assert.equal(state(text), 'active');
  assert.equal(state(text.replaceAll('\n', '\r\n')), 'active');
  assert.equal(state(text.replaceAll('\n', '\r')), 'active');
  assert.equal(state(text.trimEnd()), 'active');
  assert.equal(state(blockText('style', 'text.')), 'drifted');
  assert.equal(state(blockText('style', 'text\n')), 'drifted');
  assert.equal(state(text.replace('text', '<!--BLOCK_ID:inner-->')), 'drifted', 'invalid by now');
  assert.equal(state('<!--BLOCK_ID:style-->\ntext\n'), 'drifted', 'not closed any more');
});

test('a discarded block is discarded, changed or not, and the line that did it says so', () => {
  const text = blockText('plan');
  const session = new TestSession()
    .loaded(FILE, ['plan'])
    .activated(FILE, 'plan', text)
    .request()
    .discarded('start.prompt.md', 'plan', 2, 1);
  assert.deepEqual(told(marks(text, session)), ['0 plan discarded']);
  assert.deepEqual(
    marks(blockText('plan', 'other'), session).map(({ state, changed }) => [state, changed]),
    [['discarded', true]],
  );
  const prompt = 'The plan is agreed.\n<!--DISCARD_BLOCK:plan-->\n<!--DISCARD_BLOCK:other-->\n';
  assert.deepEqual(told(marks(prompt, session, '/w/start.prompt.md')), ['1 plan discards']);
});

test('a discard by the editor has no line that did it', () => {
  const session = new TestSession()
    .loaded(FILE, ['plan'])
    .activated(FILE, 'plan', blockText('plan'))
    .discarded('editor', 'plan', 1);
  assert.deepEqual(told(marks('<!--DISCARD_BLOCK:plan-->\n', session)), []);
});

test('a discard that was not obeyed says so on its line, and not on that of another source', () => {
  const session = new TestSession()
    .loaded(FILE, ['plan'])
    .activated(FILE, 'plan', blockText('plan'))
    .refused('discard/denied', FILE, 'plan')
    .refused('discard/unknown', FILE, 'nobody');
  const text = '<!--DISCARD_BLOCK:plan-->\n<!--DISCARD_BLOCK:nobody-->\n<!--DISCARD_BLOCK:later-->\n';
  assert.deepEqual(
    marks(text, session).map(({ line, state, refusal }) => [line, state, refusal?.why]),
    [
      [0, 'refused', 'denied'],
      [1, 'refused', 'unknown'],
    ],
  );
  assert.deepEqual(marks(text, session, '/w/other.md'), []);
  assert.deepEqual(told(marks(text, session.discarded(FILE, 'plan', 1, 1))), ['0 plan discards', '1 nobody refused']);
});

test('refusals are found as the audit grows, and forgotten with another log', () => {
  const refused = new RefusedDiscards();
  const isThis = isSourceOf(FILE, '/w', 'posix');
  const session = new TestSession().refused('discard/denied', FILE, 'one');
  assert.deepEqual([...refused.of(session.state, isThis).keys()], ['one']);
  session.refused('discard/denied', FILE, 'two');
  assert.deepEqual([...refused.of(session.state, isThis).keys()], ['one', 'two']);
  const another = new TestSession().loaded(FILE, []).refused('discard/denied', FILE, 'three');
  assert.deepEqual([...refused.of(another.state, isThis).keys()], ['three']);
  assert.deepEqual([...refused.of(new TestSession().state, isThis).keys()], []);
});

test('a later definition is in conflict and names the winner; the winner is active', () => {
  const text = blockText('style');
  const session = new TestSession()
    .loaded(FILE, ['style'])
    .activated(FILE, 'style', text, 3)
    .loaded('other.md', ['style'])
    .conflict('other.md', 'style', { source: FILE, line: 3 });
  assert.deepEqual(told(marks(text, session)), ['0 style active']);
  const [mark] = marks(text, session, '/w/other.md');
  assert.equal(mark?.state, 'conflict');
  assert.deepEqual(mark?.winner, { source: FILE, line: 3 });
});

test('a block that was added after the source was loaded is not loaded, one that the policy refused is denied', () => {
  const session = new TestSession().loaded(FILE, ['style', 'refused']).activated(FILE, 'style', blockText('style'));
  const text = blockText('style') + blockText('refused') + blockText('added');
  assert.deepEqual(told(marks(text, session)), ['0 style active', '3 refused denied', '6 added absent']);
});

test('an invalid block that no session knows is left to the diagnostics', () => {
  const session = new TestSession().loaded(FILE, []);
  assert.deepEqual(told(marks('<!--BLOCK_ID:open-->\n', session)), []);
});

test('legal IDs with names of JavaScript’s own are IDs like all others', () => {
  const session = new TestSession().loaded(FILE, []);
  assert.deepEqual(told(marks(blockText('constructor') + blockText('__proto__'), session)), [
    '0 constructor absent',
    '3 __proto__ absent',
  ]);
});
