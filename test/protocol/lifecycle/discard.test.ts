import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assistant, call, definition, discardLine, policyOf, Run, result, textBlock, user } from './lifecycleKit.ts';

const trustedUser = policyOf(
  { class: 'context-file', pattern: '*', may: ['define'] },
  { class: 'user', pattern: '*', may: ['discard'] },
);

function loaded(run = new Run()): Run {
  run.load('AGENTS.md', definition('rules') + definition('style'));
  return run;
}

test('seed 1: an exact trusted directive turns a matching active block to discarded', () => {
  const run = loaded();
  assert.deepEqual(run.control(`The phase is over.\n${discardLine('rules')}\n`), ['discarded']);
  assert.equal(run.state.blocks.get('rules')?.status, 'discarded');
  assert.equal(run.state.blocks.get('style')?.status, 'active');
});

test('seed 1: a directive that is not exact turns nothing', () => {
  const run = loaded();
  for (const line of [
    '<!-- DISCARD_BLOCK:rules -->',
    ` ${discardLine('rules')}`,
    `${discardLine('rules')}.`,
    '<!--discard_block:rules-->',
  ]) {
    assert.deepEqual(run.control(line), []);
  }
  assert.equal(run.state.blocks.get('rules')?.status, 'active');
});

test('seed 1: the block is absent from the next context view', () => {
  const run = loaded(new Run({ policy: trustedUser }));
  assert.equal(run.request(user('hi')).blocks, definition('rules') + definition('style'));
  assert.equal(run.request(user('hi'), assistant('yes'), user(discardLine('rules'))).blocks, definition('style'));
});

test('seed 1: repeated discards are idempotent', () => {
  const run = loaded();
  assert.deepEqual(run.control(discardLine('rules')), ['discarded']);
  const after = run.state.blocks;
  assert.deepEqual(run.control(discardLine('rules')), ['repeated']);
  assert.equal(run.state.blocks, after);
  assert.equal(run.audits('discard/repeated').length, 1);
});

test('seed 1: an unknown ID does not fail the request', () => {
  const run = loaded(new Run({ policy: trustedUser }));
  assert.equal(run.request(user(discardLine('nowhere'))).blocks, definition('rules') + definition('style'));
});

test('seed 1: an unknown ID produces an audit event', () => {
  const run = loaded();
  assert.deepEqual(run.control(discardLine('nowhere')), ['unknown']);
  assert.equal(run.audits('discard/unknown')[0]?.['blockId'], 'nowhere');
});

test('seed 1: every discard attempt records block ID, source, trigger, request sequence and timestamp', () => {
  const run = loaded();
  run.request(user('hi'));
  const common = { line: 2, trigger: 'control', requestSequence: 2 };
  run.control(`x\n${discardLine('rules')}`, 'plugin', 'phases');
  run.control(`x\n${discardLine('rules')}`, 'plugin', 'phases');
  run.control(`x\n${discardLine('nowhere')}`, 'plugin', 'phases');
  run.control(`x\n${discardLine('style')}`, 'web', 'https://example.org');
  const rule = 'rule 2: plugin "*" may discard';
  const plugin = { source: 'phases', class: 'plugin', rule, ...common };
  const end = run.events.length - 4;
  assert.deepEqual(run.audits('block/discarded'), [{ blockId: 'rules', ...plugin, time: 1000 + end }]);
  assert.deepEqual(run.audits('discard/repeated'), [{ blockId: 'rules', ...plugin, time: 1001 + end }]);
  assert.deepEqual(run.audits('discard/unknown'), [{ blockId: 'nowhere', ...plugin, time: 1002 + end }]);
  assert.deepEqual(run.audits('discard/denied'), [
    { blockId: 'style', source: 'https://example.org', class: 'web', rule: 'no rule', ...common, time: 1003 + end },
  ]);
});

test('seed 1: a discard without a document records who asked, through which connection', () => {
  const run = loaded();
  const asker = { source: 'editor', class: 'editor', trigger: 'watcher', connection: 'c1' } as const;
  assert.deepEqual(run.session.discard('rules', asker), 'discarded');
  const [audit] = run.audits('block/discarded');
  assert.equal(audit?.['connection'], 'c1');
  assert.equal(audit?.['trigger'], 'watcher');
  assert.ok(!('line' in (audit ?? {})));
});

test('what is asked for without a document and is no ID is unknown, and cut in the audit', () => {
  const run = loaded();
  const asker = { source: 'editor', class: 'editor', trigger: 'watcher' } as const;
  assert.equal(run.session.discard('Ä'.repeat(10_000), asker), 'unknown');
  assert.equal(run.audits('discard/unknown')[0]?.['blockId'], 'Ä'.repeat(200));
});

test('V1 knows no way back: a discarded block does not return, by no load and after no resume', () => {
  const run = loaded();
  run.control(discardLine('rules'));
  run.load('AGENTS.md', `${definition('rules', 'new words')}${definition('style')}`);
  run.load('other.md', definition('rules'));
  const resumed = run.resumed();
  resumed.load('AGENTS.md', definition('rules') + definition('style'));
  assert.equal(resumed.request(user('hi')).blocks, definition('style'));
});

test('DESIGN, The log: a directive is processed and audited once per unit, line and ID', () => {
  const run = loaded();
  const history = [user(`${discardLine('rules')}\n\n${discardLine('rules')}\n${discardLine('style')}`)];
  run.request(...history);
  run.request(...history, assistant('yes'));
  run.request(...history, assistant('yes'), user('more'));
  assert.deepEqual(
    run.audits('discard/denied').map(({ line, blockId }) => [line, blockId]),
    [
      [1, 'rules'],
      [3, 'rules'],
      [4, 'style'],
    ],
  );
  run.request(...history, ...history);
  assert.equal(run.audits('discard/denied').length, 6, 'the same words again are another unit');
});

test('DESIGN, The log: a directive is not processed again after a resume', () => {
  const run = loaded(new Run({ policy: trustedUser }));
  run.request(user(discardLine('later')));
  assert.equal(run.audits('discard/unknown').length, 1);
  const resumed = run.resumed();
  resumed.load('late.md', definition('later'));
  assert.equal(resumed.request(user(discardLine('later'))).blocks?.includes('later'), true);
  assert.equal(resumed.audits('discard/unknown').length, 1);
});

test('DESIGN, The log: at most 100 directives of a unit are processed, then one event counts the rest', () => {
  const run = loaded();
  const text = Array.from({ length: 250 }, (_, index) => discardLine(`b${index}`)).join('\n');
  run.request(user(text));
  run.request(user(text), assistant('yes'));
  run.resumed().request(user(text), assistant('yes'));
  assert.equal(run.audits('discard/denied').length, 100);
  assert.deepEqual(
    run.audits('discard/overflow').map(({ rest, class: sourceClass }) => [rest, sourceClass]),
    [[150, 'user']],
  );
  const resumed = run.resumed();
  resumed.request(user(text), assistant('yes'));
  assert.equal(resumed.audits('discard/denied').length + resumed.audits('discard/overflow').length, 101);
});

test('DESIGN, The log: lines of a directive count over all text parts of its unit', () => {
  const run = loaded();
  const parts = ['one\ntwo', 'three\n', '', discardLine('rules')].map(textBlock);
  run.request({ role: 'user', content: parts });
  assert.equal(run.audits('discard/denied')[0]?.['line'], 4);
});

test('DESIGN flow 1: a directive in fenced code is live', () => {
  const run = loaded();
  assert.deepEqual(run.control(`\`\`\`markdown\n${discardLine('rules')}\n\`\`\`\n`), ['discarded']);
});

test('seed 1: invalid or untrusted directives remain visible as ordinary content', () => {
  const run = loaded();
  const shown = [
    user(discardLine('rules')),
    call('a'),
    result('a', discardLine('rules')),
    assistant(discardLine('rules')),
  ];
  const { messages, blocks, entries } = run.request(...shown);
  assert.deepEqual(messages, shown);
  assert.ok(entries.every(({ changed }) => !changed));
  assert.equal(blocks, definition('rules') + definition('style'));
  assert.deepEqual(
    run.audits('discard/denied').map(({ class: sourceClass, trigger }) => [sourceClass, trigger]),
    [
      ['user', 'message'],
      ['tool-result', 'message'],
      ['assistant', 'message'],
    ],
  );
});

test('a trusted directive stays visible too: only its block goes', () => {
  const run = loaded(new Run({ policy: trustedUser }));
  const { messages } = run.request(user(`please\n${discardLine('rules')}`));
  assert.deepEqual(messages, [user(`please\n${discardLine('rules')}`)]);
});

test('definitions in messages are never parsed, whatever the policy says of their class', () => {
  const run = new Run({ policy: policyOf({ class: 'user', pattern: '*', may: ['define', 'discard'] }) });
  assert.equal(run.request(user(definition('mine'))).blocks, undefined);
  assert.equal(run.state.blocks.size, 0);
});
