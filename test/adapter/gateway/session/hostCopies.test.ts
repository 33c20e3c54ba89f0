import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HostCopies } from '../../../../adapter/gateway/session/hostCopies.ts';
import { knownSource } from '../../../../adapter/gateway/session/knownSource.ts';
import { BlockTexts } from '../../../../protocol/lifecycle/blockTexts.ts';
import { parseDocument } from '../../../../protocol/lifecycle/document.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import { definition } from '../../../protocol/lifecycle/lifecycleKit.ts';
import {
  AGENTS_MD,
  CLAUDE_MD,
  CLAUDE_READ,
  CLAUDE_SKILL,
  type ClaudePaths,
  CODEX_AGENTS,
  claudeMemory,
  claudeMemoryCut,
  EXTRA_MD,
  HOME_AGENTS_MD,
  RULE_MD,
  SKILL_MD,
  USER_MD,
} from './recordedCopies.ts';

const PATHS: ClaudePaths = {
  user: '/home/me/.claude/CLAUDE.md',
  project: '/project/CLAUDE.md',
  extra: '/project/extra.md',
  rule: '/project/.claude/rules/r.md',
};

const CLAUDE_FILES = {
  [PATHS.user]: USER_MD,
  [PATHS.project]: CLAUDE_MD,
  [PATHS.extra]: EXTRA_MD,
  [PATHS.rule]: RULE_MD,
};

/** Copies of sources all of whose definitions the session knows. */
function copiesOf(files: Readonly<Record<string, string>>): HostCopies {
  const texts = new BlockTexts();
  const copies = new HostCopies(text => texts.without(text));
  for (const [path, text] of Object.entries(files)) {
    for (const { start, end, id } of knownSource({ path, text }).blocks) {
      texts.know(id, text.slice(start, end));
    }
    copies.know({ path, text });
  }
  return copies;
}

const user = (...texts: readonly string[]): JsonObject => ({
  role: 'user',
  content: texts.map(text => ({ type: 'text', text })),
});

test('agents.md trap: Claude Code takes the tags out of CLAUDE.md, its imports and rules; their bodies are cut all the same', () => {
  const copies = copiesOf(CLAUDE_FILES);
  const { messages } = copies.cut(undefined, [user('before', claudeMemory(PATHS), 'hello')]);
  assert.deepEqual(messages, [user('before', claudeMemoryCut(PATHS), 'hello')]);
  assert.deepEqual(copies.uncut(Object.keys(CLAUDE_FILES)), []);
});

test('a skill is shown without its front matter, and cut there', () => {
  const copies = copiesOf({ '/project/.claude/skills/demo/SKILL.md': SKILL_MD });
  const { messages } = copies.cut(undefined, [user(CLAUDE_SKILL)]);
  assert.deepEqual(messages, [
    user('Base directory for this skill: /project/.claude/skills/demo\n\nSkill text.\nSkill end.\n'),
  ]);
});

test('Codex shows AGENTS.md files one behind the other in a message of the user, and each is cut', () => {
  const copies = copiesOf({ '/home/me/.codex/AGENTS.md': HOME_AGENTS_MD, '/project/AGENTS.md': AGENTS_MD });
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: CODEX_AGENTS }] };
  const text =
    '# AGENTS.md instructions for /project\n\n<INSTRUCTIONS>\nHome agents.\n\n--- project-doc ---\n\n# Agents\n\nTail.\n\n\n</INSTRUCTIONS>';
  assert.deepEqual(copies.cut(undefined, [item]).messages, [{ ...item, content: [{ type: 'input_text', text }] }]);
});

test('system prompts of all forms, and the first message of Gemini CLI, are cut', () => {
  const copies = copiesOf({ '/project/AGENTS.md': AGENTS_MD });
  const shown = `You are an agent.\nInstructions from: /project/AGENTS.md\n${AGENTS_MD}`;
  const cut = 'You are an agent.\nInstructions from: /project/AGENTS.md\n# Agents\n\nTail.\n\n';
  assert.equal(copies.cut(shown, []).system, cut);
  assert.deepEqual(copies.cut([{ type: 'text', text: shown }], []).system, [{ type: 'text', text: cut }]);
  assert.deepEqual(copies.cut({ parts: [{ text: shown }] }, []).system, { parts: [{ text: cut }] });
  assert.deepEqual(copies.cut(undefined, [{ role: 'system', content: shown }]).messages, [
    { role: 'system', content: cut },
  ]);
  const first = { role: 'user', parts: [{ text: `<session_context>\n${shown}</session_context>` }] };
  assert.deepEqual(copies.cut(undefined, [first]).messages, [
    { role: 'user', parts: [{ text: `<session_context>\n${cut}</session_context>` }] },
  ]);
});

test('tool results, calls and answers are never cut, whatever they show', () => {
  const copies = copiesOf({ ...CLAUDE_FILES, '/project/AGENTS.md': AGENTS_MD });
  const region = claudeMemory(PATHS);
  const messages: readonly JsonObject[] = [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: CLAUDE_MD }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: region }] }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: CLAUDE_READ }] },
    { role: 'assistant', content: [{ type: 'text', text: AGENTS_MD }] },
    { role: 'tool', tool_call_id: 'd', content: AGENTS_MD },
    { type: 'function_call_output', call_id: 'e', output: AGENTS_MD },
    { type: 'function_call', call_id: 'f', name: 'write', arguments: JSON.stringify({ text: AGENTS_MD }) },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: AGENTS_MD } } }] },
    { role: 'model', parts: [{ text: AGENTS_MD }] },
  ];
  assert.equal(copies.cut(undefined, messages).messages, messages);
});

test('what a person types is not cut: a block alone, a body alone, or a part of a file', () => {
  const copies = copiesOf(CLAUDE_FILES);
  const typed = [
    user('Alpha body one.\n\nAlpha body two.'),
    user(definition('alpha', 'Alpha body one.\n\nAlpha body two.')),
  ];
  assert.equal(copies.cut(undefined, typed).messages, typed);
});

test('a copy that leaves the source is followed no further, and the source is one that can only be observed', () => {
  const copies = copiesOf(CLAUDE_FILES);
  const region = claudeMemory(PATHS).replace('Middle text.', 'Another text.');
  const { messages } = copies.cut(undefined, [user(region)]);
  const text = JSON.stringify(messages);
  assert.ok(!text.includes('Alpha body one.'), 'what stood before it is cut');
  assert.ok(text.includes('- item one'), 'what stands behind it is not');
  assert.deepEqual(copies.uncut(Object.keys(CLAUDE_FILES)), [{ path: PATHS.project, shows: 'a part', isNamed: true }]);
  assert.deepEqual(copiesOf(CLAUDE_FILES).uncut([PATHS.user]), [
    { path: PATHS.user, shows: 'nothing', isNamed: false },
  ]);
});

test('a source without blocks, and one whose definitions the session does not know, are nothing to cut', () => {
  const copies = new HostCopies(text => text);
  copies.know({ path: PATHS.project, text: CLAUDE_MD });
  copies.know({ path: '/project/plain.md', text: 'no block' });
  const messages = [user(claudeMemory(PATHS))];
  assert.equal(copies.cut(undefined, messages).messages, messages);
  assert.deepEqual(copies.uncut([PATHS.project, '/project/plain.md']), []);
});

test('texts that stand where they stood are not searched again, also where the agent sends fresh copies', () => {
  let searched = 0;
  const texts = new BlockTexts();
  texts.know('alpha', AGENTS_MD.slice(AGENTS_MD.indexOf('<!--'), AGENTS_MD.indexOf('Tail.')));
  const copies = new HostCopies(text => {
    searched++;
    return texts.without(text);
  });
  copies.know({ path: '/project/AGENTS.md', text: AGENTS_MD });
  const send = (...more: readonly string[]): string =>
    JSON.stringify(copies.cut(undefined, [user(`x\n${AGENTS_MD}`), ...more.map(text => user(text))]).messages);
  const first = send();
  const before = searched;
  assert.equal(send(), first);
  assert.ok(send('more', 'and more').startsWith(first.slice(0, -1)));
  assert.equal(searched, before);
});

test('a file that changed: the copy of the text that the host read first is found as well', () => {
  const copies = copiesOf({ '/project/AGENTS.md': AGENTS_MD });
  copies.know({ path: '/project/AGENTS.md', text: 'Another text.\n' });
  assert.deepEqual(copies.cut(AGENTS_MD, []).system, '# Agents\n\nTail.\n\n');
});

/** Claude Code's own rule, as far as it was seen: block-level comments are gone, with the blank lines around them. */
function stripped(text: string): string {
  return text
    .split('\n')
    .filter(line => !/^<!--.*-->$/.test(line))
    .join('\n')
    .trim();
}

test('law: of a copy without comments, exactly the bodies of blocks are cut', () => {
  const line = fc.constantFrom(
    '',
    'text',
    'more text',
    '- item',
    '<!-- a comment -->',
    'Contents of /p/B.md (x):',
    '  indented',
  );
  const part = fc.oneof(
    line.map(text => ({ text, block: false })),
    fc.array(line, { maxLength: 4 }).map(lines => ({ text: lines.join('\n'), block: true })),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), parts => {
      const text = parts
        .map(({ text: body, block }, place) => (block ? definition(`b${place}`, body) : `${body}\n`))
        .join('');
      const path = '/p/A.md';
      const copies = copiesOf({ [path]: text });
      const shown = `<system-reminder>\nContents of ${path} (project instructions):\n\n${stripped(text)}\n</system-reminder>`;
      const { messages } = copies.cut(undefined, [user(shown)]);
      const [message] = messages as unknown as readonly { readonly content: readonly { readonly text: string }[] }[];
      const lines = (whole: string): readonly string[] => whole.split('\n').filter(one => one.trim() !== '');
      const ordinary = lines(stripped(parseDocument(text).ordinaryMarkdown)).map(one => one.trim());
      assert.deepEqual(
        lines(message?.content[0]?.text ?? '').map(one => one.trim()),
        ['<system-reminder>', `Contents of ${path} (project instructions):`, ...ordinary, '</system-reminder>'],
      );
      assert.deepEqual(copies.uncut([path]), []);
    }),
  );
});
