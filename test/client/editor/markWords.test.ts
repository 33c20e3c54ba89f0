import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentTags } from '../../../client/editor/documentTags.ts';
import { type MarkContext, markParagraphs, markText } from '../../../client/editor/markWords.ts';
import { isSourceOf } from '../../../client/editor/sourceFile.ts';
import { tagMarks } from '../../../client/editor/tagMarks.ts';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { observeOnly } from '../../../protocol/log/observeOnly.ts';
import { sha256, TestSession } from './session.ts';

const TEXT = '<!--BLOCK_ID:plan-->\ntext\n<!--/BLOCK_ID:plan-->\n';

const connected: MarkContext = {
  wording: { say: renderMessage, time: String },
  agent: 'demo',
  cwd: '/w',
  link: 'connected',
};

function wordsOf(session: TestSession, context: Partial<MarkContext> = {}, text = TEXT) {
  const [mark] = tagMarks(documentTags(text, sha256), session.state, isSourceOf('/w/AGENTS.md', '/w', 'posix'));
  assert.ok(mark);
  const whole = { ...connected, ...context };
  return {
    line: markText(mark, whole),
    hover: markParagraphs(mark, whole).join(' '),
  };
}

const active = (): TestSession =>
  new TestSession().loaded('/w/AGENTS.md', ['plan']).activated('/w/AGENTS.md', 'plan', TEXT);

test('an active block says since when and what it takes, an estimate with its mark', () => {
  assert.equal(wordsOf(active()).line, 'active from request 1 on · 48 bytes');
  const sent = active().request();
  assert.equal(wordsOf(sent).line, 'active since request 1 · 48 bytes');
  const estimated = wordsOf(sent, { tokens: { tokens: 1_200, origin: 'estimated' } });
  assert.equal(estimated.line, 'active since request 1 · ~1,200 tokens');
  assert.match(estimated.hover, /48 bytes · ~1,200 tokens/);
  assert.equal(wordsOf(sent, { tokens: { tokens: 12, origin: 'exact' } }).line, 'active since request 1 · 12 tokens');
  assert.match(wordsOf(sent).hover, /every request since request 1\./);
});

test('a text that is another one now says so', () => {
  const { line, hover } = wordsOf(active().request(), {}, TEXT.replace('text', 'other'));
  assert.equal(line, 'active since request 1 · changed since it was loaded · 48 bytes');
  assert.match(hover, /the session keeps the text that it loaded\.$/);
});

test('a discarded block says by whom, at which request, and what allowed it', () => {
  const { line, hover } = wordsOf(active().request().discarded('/w/.github/go.prompt.md', 'plan', 2, 7));
  assert.equal(line, 'discarded by go.prompt.md:7 at request 2');
  assert.match(
    hover,
    /by \.github\/go\.prompt\.md:7 \(context file\): it is absent from request 2 on\. When: \d+ Why it was allowed: rule 1/,
  );
});

test('what is not connected is no news of now', () => {
  assert.equal(wordsOf(active(), { link: 'lost' }).line, 'active from request 1 on · 48 bytes · connection lost');
  assert.match(wordsOf(active(), { link: 'past' }).hover, /^In a past session of demo:/);
  assert.match(wordsOf(active(), { link: 'ended' }).line, /the session has ended$/);
});

test('a hostile name is one bounded line', () => {
  const evil = `\u202e\n[x](command:workbench.action.quit)${'a'.repeat(10_000)}`;
  const session = active().request().discarded(evil, 'plan', 2);
  const { line, hover } = wordsOf(session, { agent: evil });
  for (const text of [line, hover]) {
    assert.doesNotMatch(text, /[\n\u202e]/);
    assert.ok(text.length < 1_000, `${text.length}`);
  }
});

test('a command of an agent that discarded is named whole, and has no line to go to', () => {
  const { line, hover } = wordsOf(active().request().discarded('pi:/context-discard', 'plan', 2, 1));
  assert.equal(line, 'discarded by pi:/context-discard at request 2');
  assert.match(hover, /was discarded by pi:\/context-discard \(context file\): it is absent/);
});

test('issue 4: who discarded at an editor is said in the words of the sidebar', () => {
  const { line, hover } = wordsOf(active().request().discardedAt('window 2', 'plan', 2));
  assert.equal(line, 'discarded by an editor at request 2');
  assert.match(hover, /was discarded by an editor \(connection window 2\): it is absent from request 2 on\./);
});

test('issue 5: nothing is shown as discarded that the agent still sends by itself', () => {
  const observed = (session: TestSession) =>
    session.add('session/problem', {
      code: 'observe-only',
      sentence: 'Its text was not found.',
      source: '/w/AGENTS.md',
    });
  assert.equal(wordsOf(observed(active()).request()).line, 'active since request 1 · observe only · 48 bytes');
  assert.match(wordsOf(observed(active())).hover, /Observe only: Its text was not found\./);
  const kept = observed(active().request().discarded('/w/.github/go.prompt.md', 'plan', 2, 7));
  const { line, hover } = wordsOf(kept);
  assert.equal(line, 'discarded at request 2, but the agent still sends it by itself');
  assert.match(hover, /at request 2, but the agent still sends it by itself\. Observe only: Its text was not found\./);
  const other = kept.add('session/problem', { code: 'other', sentence: 'No matter.', source: '/w/CLAUDE.md' });
  assert.deepEqual([...observeOnly(other.state)], [['/w/AGENTS.md', 'Its text was not found.']]);
});
