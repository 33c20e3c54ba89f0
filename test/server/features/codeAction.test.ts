import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodeActionTriggerKind, ResponseError } from 'vscode-languageserver';
import { CODE_ACTION_KINDS } from '../../../server/features/codeAction.ts';
import { codeActionResolve, codeActionUri } from '../../../server/features/codeActionResolve.ts';
import { type Asked, actions, actionsAt, after, nearMiss, SUPPORT, shown } from './codeActionKit.ts';
import { CURSOR, edited, editsOf, findingsOf, LINE_ENDS, open, project, projectOf } from './fixture.ts';

const WRAP = 'Wrap Selection in Block…';
const WRAP_KIND = 'refactor.rewrite.contextLifecycle.wrap';
const FIX_ALL = 'source.fixAll.contextLifecycle';

for (const encoding of ['utf-8', 'utf-16'] as const) {
  test(`editor-bugs 11: the fix of a near miss with emoji before the ID hits the right place (${encoding})`, () => {
    const opened = open(['é', `😀😀 <!--BLOCK_ID:a${CURSOR}-->`, 'x'], { encoding });
    const finding = nearMiss(opened.document, '😀😀 <!--BLOCK_ID:a-->', '<!--BLOCK_ID:a-->', false);
    const [action] = actionsAt(opened, { findings: [finding] });
    assert.equal(action?.isPreferred, true);
    assert.deepEqual(edited(opened.document, editsOf(action.edit, opened.document.uri)), [
      'é',
      '<!--BLOCK_ID:a-->',
      'x',
    ]);
  });
}

test('a fix names the diagnostics that it repairs, and only those that stand where the finding stands now', () => {
  const opened = open(['x', `<!--/BLOCK_ID:a-->${CURSOR}`]);
  const [finding] = findingsOf(opened.document, projectOf(opened));
  assert.ok(finding);
  const current = shown(opened.document, finding);
  const stale = { ...current, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } } };
  const [fix] = actionsAt(opened, { context: { diagnostics: [stale, current] } });
  assert.deepEqual(fix?.diagnostics, [current]);
});

test('editor-bugs 23: edits come from the present findings, never from the positions that the client shows', () => {
  const opened = open(['new line', `<!--/BLOCK_ID:a-->${CURSOR}`, 'x']);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 8 } };
  const stale = { range, code: 'unexpected-block-end', message: 'old' };
  const [fix] = actionsAt(opened, { context: { diagnostics: [stale] } });
  assert.equal(fix?.diagnostics, undefined);
  assert.deepEqual(edited(opened.document, editsOf(fix?.edit, opened.document.uri)), ['new line', 'x']);
  const elsewhere = actionsAt({ ...opened, range }, { context: { diagnostics: [stale] } });
  assert.deepEqual(
    elsewhere.filter(({ kind }) => kind === 'quickfix'),
    [],
  );
});

test('editor-bugs 23: an action is resolved only against the version that it was offered for', () => {
  const lines = ['x', `<!--/BLOCK_ID:a-->${CURSOR}`];
  const opened = open(lines);
  const findings = findingsOf(opened.document, projectOf(opened));
  const [offered] = actionsAt(opened, { support: { resolvesEdits: true } });
  assert.ok(offered);
  assert.equal(offered.edit, undefined);
  assert.equal(codeActionUri(offered), opened.document.uri);
  const sent = JSON.parse(JSON.stringify(offered));
  const resolved = codeActionResolve(sent, opened.document, findings, projectOf(opened), SUPPORT);
  assert.deepEqual(edited(opened.document, editsOf(resolved.edit, opened.document.uri)), ['x']);
  const later = open(['y', ...lines], { version: 8 });
  for (const document of [later.document, undefined]) {
    assert.throws(
      () => codeActionResolve(sent, document, findings, projectOf(opened), SUPPORT),
      (error: unknown) => error instanceof ResponseError && error.message.startsWith('Nothing was changed'),
    );
  }
  assert.throws(() => codeActionResolve(sent, opened.document, [], projectOf(opened), SUPPORT), ResponseError);
});

test('an action of somebody else comes back as it is', () => {
  for (const data of [undefined, null, 1, 'x', {}, { uri: 1 }]) {
    const foreign = { title: 'x', data };
    assert.equal(codeActionUri(foreign), undefined);
    assert.equal(codeActionResolve(foreign, undefined, [], project(), SUPPORT), foreign);
  }
});

test('edits carry the version, or are plain changes for a client that knows no versions', () => {
  const lines = [`<!--/BLOCK_ID:a-->${CURSOR}`];
  const change = actions(lines)[0]?.edit?.documentChanges?.[0];
  assert.ok(change && 'textDocument' in change);
  assert.equal(change.textDocument.version, 7);
  const edit = actions(lines, { support: { documentChanges: false } })[0]?.edit;
  assert.equal(edit?.documentChanges, undefined);
  assert.ok(edit?.changes?.['file:///w/AGENTS.md']);
});

test('only what is asked for', () => {
  const lines = [`${CURSOR}x`, '<!--/BLOCK_ID:a-->', `y${CURSOR}`];
  const kinds = (only?: string[]) => [
    ...new Set(actions(lines, only ? { context: { only } } : {}).map(({ kind }) => kind)),
  ];
  assert.deepEqual(kinds(), ['quickfix', WRAP_KIND]);
  assert.deepEqual(kinds(['quickfix']), ['quickfix']);
  assert.deepEqual(kinds(['refactor']), [WRAP_KIND]);
  assert.deepEqual(kinds([WRAP_KIND]), [WRAP_KIND]);
  assert.deepEqual(kinds(['refactor.extract', 'quick']), []);
  assert.deepEqual(kinds(['']), ['quickfix', WRAP_KIND]);
  assert.deepEqual(CODE_ACTION_KINDS, ['quickfix', WRAP_KIND, FIX_ALL]);
});

test('no disabled action and no preference for a client that knows neither', () => {
  const support = { disabledActions: false, preferredActions: false };
  const found = actions(['---', '---', `<!--/BLOCK_ID:a-->${CURSOR}`], { support });
  assert.deepEqual(
    found.map(({ title, disabled, isPreferred }) => [title, disabled, isPreferred]),
    [['Remove this line', undefined, undefined]],
  );
});

test('a near miss without one certain meaning has a disabled fix with a reason', () => {
  const opened = open([`<!--BLOCK:${CURSOR}-->`]);
  const { fix: _, ...finding } = nearMiss(opened.document, '<!--BLOCK:-->', '', false);
  const [action] = actionsAt(opened, { findings: [finding] });
  assert.equal(action?.disabled?.reason, 'It is not certain which tag line is meant here.');
});

test('a live tag in a fence, in front matter or in a comment can be put off by one blank', () => {
  const title = 'Put a blank before this line, so that it is no tag';
  for (const [first, last] of [
    ['```', '```'],
    ['---', '---'],
    ['<!--', '-->'],
  ] as const) {
    assert.deepEqual(after([first, `<!--ephemeral-->${CURSOR}`, last], title), [first, ' <!--ephemeral-->', last]);
  }
});

test('a repair is offered wherever on its line the cursor stands, and on no other line', () => {
  for (const lines of [
    [`<!--ephem${CURSOR}eral--> `, 'x'],
    [`${CURSOR}<!--ephemeral--> `, 'x'],
  ]) {
    assert.deepEqual(after(lines, "Change the line to '<!--ephemeral-->'"), ['<!--ephemeral-->', 'x']);
  }
  assert.deepEqual(actions(['<!--ephemeral--> ', `${CURSOR}x`]), []);
});

test('a client that knows no code actions gets none', () => {
  assert.deepEqual(actions([`<!--/BLOCK_ID:a-->${CURSOR}`], { support: { codeActions: false } }), []);
});

test('fix all: mechanical repairs only, all at once, never overlapping', () => {
  const lines = ['<!--ephemeral--> ', '<!--Ephemeral-->', 'x <!--ephemeral-->', CURSOR];
  const opened = open(lines);
  const { document } = opened;
  const findings = [
    nearMiss(document, '<!--ephemeral--> ', '<!--ephemeral-->', true),
    nearMiss(document, '--> ', '-->', true),
    nearMiss(document, '<!--Ephemeral-->', '<!--ephemeral-->', true),
    nearMiss(document, 'x <!--ephemeral-->', '<!--ephemeral-->', false),
  ];
  const asked: Asked = { findings, context: { only: ['source.fixAll'] } };
  const found = actionsAt(opened, asked);
  assert.equal(found.length, 1);
  assert.equal(found[0]?.kind, FIX_ALL);
  assert.deepEqual(edited(document, editsOf(found[0].edit, document.uri)), [
    '<!--ephemeral-->',
    '<!--ephemeral-->',
    'x <!--ephemeral-->',
    '',
  ]);
  const triggered = (triggerKind: CodeActionTriggerKind) =>
    actionsAt(opened, { findings, context: { triggerKind } }).some(({ kind }) => kind === FIX_ALL);
  assert.equal(triggered(CodeActionTriggerKind.Automatic), false);
  assert.equal(triggered(CodeActionTriggerKind.Invoked), true);
  assert.deepEqual(actionsAt(opened, { ...asked, findings: findings.slice(3) }), []);
});

test('thousands of findings in the range get the repairs of the first ones', () => {
  const lines = [CURSOR, ...Array.from({ length: 3000 }, () => '<!--/BLOCK_ID:a-->'), CURSOR];
  const found = actions(lines).filter(({ title }) => title === 'Remove this line');
  assert.equal(found.length, 20);
});

for (const lineEnd of LINE_ENDS) {
  test(`wrap: whole lines, a line that is only touched at its start stays out (${JSON.stringify(lineEnd)})`, () => {
    const wrapped = ['<!--BLOCK_ID:block-->', 'b', 'c', '<!--/BLOCK_ID:block-->'];
    const asked = { lineEnd };
    assert.deepEqual(after(['a', `b${CURSOR}`, `c${CURSOR}`, 'd'], WRAP, asked), ['a', ...wrapped, 'd']);
    assert.deepEqual(after(['a', `${CURSOR}b`, 'c', `${CURSOR}d`], WRAP, asked), ['a', ...wrapped, 'd']);
    assert.deepEqual(after([`${CURSOR}b`, `c${CURSOR}`], WRAP, asked), wrapped);
    assert.deepEqual(after([`${CURSOR}b`, 'c', CURSOR], WRAP, asked), [...wrapped, '']);
  });
}

test('wrap: not for an empty selection; a fresh ID; disabled with a reason around and in blocks', () => {
  const wrap = (lines: readonly string[]) => actions(lines).find(({ title }) => title === WRAP);
  assert.equal(wrap([`a${CURSOR}b`]), undefined);
  assert.deepEqual(
    after(['<!--BLOCK_ID:block-->', '<!--/BLOCK_ID:block-->', `${CURSOR}x${CURSOR}`], WRAP).at(2),
    '<!--BLOCK_ID:block-2-->',
  );
  const pair = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'];
  const reasons: readonly (readonly [readonly string[], RegExp])[] = [
    [[pair[0] ?? '', `${CURSOR}x${CURSOR}`, pair[1] ?? ''], /inside a block/],
    [[`${CURSOR}x`, ...pair, `y${CURSOR}`], /holds a tag line of a block/],
    [[`${CURSOR}x`, `<!--BLOCK${CURSOR}_ID:a-->`, 'x', pair[1] ?? ''], /holds a tag line of a block/],
    [[pair[0] ?? '', `x${CURSOR}`, `<!--/BLOCK_ID:a-->${CURSOR}`], /inside a block/],
    [[`${CURSOR}x`, `<!--DISCARD_BLOCK:q-->${CURSOR}`], /holds a discard line/],
  ];
  for (const [lines, reason] of reasons) {
    assert.match(wrap(lines)?.disabled?.reason ?? '', reason, lines.join(' | '));
    assert.equal(wrap(lines)?.edit, undefined);
  }
});

test('wrap: the follow-up command only for a client that declares it, with the place of the new ID', () => {
  const lines = ['a', `${CURSOR}x${CURSOR}`];
  assert.equal(actions(lines).find(({ title }) => title === WRAP)?.command, undefined);
  const asked = { support: { renameCommand: 'contextLifecycle.nameBlock', resolvesEdits: true } };
  const action = actions(lines, asked).find(({ title }) => title === WRAP);
  assert.deepEqual(action?.command, {
    title: 'Name the Block',
    command: 'contextLifecycle.nameBlock',
    arguments: ['file:///w/AGENTS.md', { line: 1, character: 13 }],
  });
  assert.equal(action.edit, undefined);
});
