import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, call, definition, discardLine, EPHEMERAL, policyOf, Run, result, user } from './lifecycleKit.ts';

const opening = (id: string): string => `<!--BLOCK_ID:${id}-->\n`;
const closing = (id: string): string => `<!--/BLOCK_ID:${id}-->\n`;

/** Each way in which a definition is not valid, by name. */
const INVALID: readonly (readonly [string, string])[] = [
  ['never closed', `${opening('bad')}words\n`],
  ['never opened', `words\n${closing('bad')}`],
  ['closed by another ID', `${opening('bad')}words\n${closing('bed')}${closing('bad')}`],
  ['with a block in it', `${opening('bad')}${definition('worse')}${closing('bad')}`],
  ['defined twice', definition('bad') + definition('bad', 'again')],
  ['with a capital letter', definition('Bad')],
  ['with a blank in its opening line', definition('bad').replace('<!--BLOCK', '<!-- BLOCK')],
  ['with a blank before its opening line', ` ${definition('bad')}`],
  ['with a blank behind its closing line', `${definition('bad').trimEnd()} \n`],
  ['in one line', definition('bad').replaceAll('\n', '')],
  ['with a character that looks like one of ours', definition('b\u0430d')],
];

for (const [what, text] of INVALID) {
  test(`seed 1: an invalid block definition activates nothing, and the valid one beside it does: ${what}`, () => {
    const run = new Run();
    assert.deepEqual(run.load('AGENTS.md', `${definition('good')}${text}`), ['activated']);
    assert.deepEqual([...run.state.blocks.keys()], ['good']);
    assert.equal(run.request(user('hi')).blocks, definition('good'));
  });

  test(`seed 1: an invalid block definition is ordinary Markdown, also in the host’s own prompt: ${what}`, () => {
    const run = new Run();
    const source = `# Rules\n${definition('good')}between\n${text}after\n`;
    run.load('AGENTS.md', source);
    assert.equal(run.session.withoutDefinitions(source), `# Rules\nbetween\n${text}after\n`);
  });
}

const NOT_EXACT: readonly string[] = [
  ` ${discardLine('rules')}`,
  `${discardLine('rules')}\t`,
  `\u00a0${discardLine('rules')}`,
  `${discardLine('rules')}\u200b`,
  discardLine('Rules'),
  discardLine('rul\u0435s'),
  discardLine('ｒules'),
  '<!-- DISCARD_BLOCK:rules -->',
  '<!--Discard_Block:rules-->',
  '<!--DISCARD-BLOCK:rules-->',
  '<!--DISCARDBLOCK:rules-->',
  '<!--DISCARD_BLOCK:rules->',
  '<!--DISCARD_BLOCK:rules--!>',
  '<!—DISCARD_BLOCK:rules—>',
  `> ${discardLine('rules')}`,
  `\`${discardLine('rules')}\``,
  `\\${discardLine('rules')}`,
];

test('seed 1: nobody trims, normalises, fuzzy-matches or repairs a directive, however trusted: nothing happens, nothing is audited', () => {
  for (const line of NOT_EXACT) {
    const run = new Run({
      policy: policyOf(
        { class: 'context-file', pattern: '*', may: ['define'] },
        { class: 'user', pattern: 'user', may: ['discard', 'ephemeral'] },
        { class: 'plugin', pattern: '*', may: ['discard'] },
      ),
    });
    run.load('AGENTS.md', definition('rules'));
    assert.deepEqual(run.control(line), [], line);
    const before = run.events.length;
    assert.equal(run.request(user(line)).blocks, definition('rules'), line);
    assert.deepEqual(
      run.events.slice(before).map(({ type }) => type),
      ['host/message', 'request/sealed'],
      line,
    );
  }
});

test('seed 1: invalid directives remain visible as ordinary content', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules'));
  const shown: JsonObject[] = NOT_EXACT.flatMap((line, index) => [
    user(line),
    call(`c${index}`),
    result(`c${index}`, `before\n${line}\nafter`),
    assistant(line),
  ]);
  assert.deepEqual(run.request(...shown).messages, shown);
});

test('seed 1: an ephemeral line that is not exact is not trimmed or repaired in a tool result either', () => {
  for (const line of [
    '<!-- ephemeral -->',
    ' <!--ephemeral-->',
    '<!--ephemeral--> ',
    '<!--Ephemeral-->',
    '<!—ephemeral—>',
  ]) {
    const run = new Run();
    const text = EPHEMERAL.replace('<!--ephemeral-->', line);
    const history = [call('a'), result('a', text), assistant('seen'), user('next')];
    assert.deepEqual(run.request(...history).messages, history, line);
    assert.equal(run.audits('ephemeral/admitted').length, 0, line);
  }
});
