import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pendingHandoffs, takePendingHandoff } from '../../local/pendingHandoff.ts';
import type { HandoffFile } from '../../protocol/budget/handoff/handoffFile.ts';
import { saveHandoff } from '../../protocol/budget/handoff/saveHandoff.ts';
import { scanDeclarations } from '../../protocol/lifecycle/scan.ts';
import { BudgetRun, call, result, sha256, user } from '../protocol/budget/budgetKit.ts';
import { definition, discardLine } from '../protocol/lifecycle/lifecycleKit.ts';
import { turnOn } from './budgetLog.ts';
import { block } from './cliKit.ts';
import { assertHarmless } from './hostile.ts';
import { homeOf } from './sessionKit.ts';

const RULES = block('rules', 'Be kind.\n');

/** A saved session with a first tier, two blocks, four documents and a result that is not saved. */
function savedFile(changes: Partial<HandoffFile> = {}): HandoffFile {
  const run = new BudgetRun();
  run.setTier1({ objective: 'Move the shop', constraints: [{ id: 'tabs', text: 'Use tabs' }] });
  run.update('tabs', 'Use spaces');
  run.lifecycle.loadSource({ source: 'AGENTS.md', class: 'context-file', text: RULES });
  run.lifecycle.loadSource({ source: 'plan.md', class: 'context-file', text: definition('plan') });
  run.lifecycle.control({ source: 'a-plugin', class: 'plugin', text: discardLine('plan') });
  const messages = [user(`You must ask first.\n${discardLine('rules')}`), call('c1'), result('c1', 'much')];
  run.request(messages);
  const data = { document: 'unhashed.md', units: ['u'], messages: 1, requestSequence: 1 };
  run.append({ type: 'budget/document', data });
  const parts = { session: 'first', created: 1_700_000_000_000, fold: run.state, contents: run.contents };
  return { ...saveHandoff({ ...parts, view: run.viewOf(messages), events: run.events }), ...changes };
}

function placeOf(t: Parameters<typeof homeOf>[0], changes: Partial<HandoffFile> = {}) {
  const text = JSON.stringify(savedFile(changes));
  const place = homeOf(t, { 'saved.json': text, 'AGENTS.md': RULES, 'plan.md': 'changed', 'unhashed.md': 'any' });
  return { ...place, text, handoffs: join(place.home, 'handoffs') };
}

test('resume says what a new session takes over, and lets the next one in the folder go on from the file, once', async t => {
  const { cli, cwd, home, text, handoffs } = placeOf(t);
  turnOn(home);
  const { stdout, stderr, exitCode } = await cli('handoff', 'resume', 'saved.json');
  assert.deepEqual([stderr, exitCode], ['', 0]);
  assert.equal(
    stdout,
    [
      'Session first',
      'saved      2023-11-14 22:13:20',
      'task       Move the shop',
      '           constraint tabs: Use spaces',
      '           values that were replaced: 1',
      'history    1 summary',
      'blocks     active: rules',
      '           discarded: plan',
      'documents  same: AGENTS.md',
      '           changed: plan.md',
      '           unknown: unhashed.md',
      'gaps       Whether unhashed.md has changed since is not known.',
      '           plan.md has changed since.',
      '           Results of tools were not saved (1): id:c1.',
      'checks     ok: task and constraints are as they were saved',
      '           ok: constraints in summaries were given by somebody',
      '           ok: summaries hold no value that was replaced',
      '           All else is checked with the first request.',
      '',
      `The next new session of an agent in ${cwd} goes on from it.`,
      '',
    ].join('\n'),
  );
  // T-31: nothing that is printed is a tag either.
  assert.deepEqual(scanDeclarations(stdout), []);
  const taken = takePendingHandoff({ folder: handoffs, cwd, agent: 'pi' });
  assert.deepEqual([taken?.text, taken?.file], [text, join(cwd, 'saved.json')]);
  assert.equal(takePendingHandoff({ folder: handoffs, cwd, agent: 'pi' }), undefined);
});

test('T-33 a document that is gone is missing, and one that a link leads to is read', async t => {
  const { cli, cwd } = placeOf(t);
  rmSync(join(cwd, 'AGENTS.md'));
  rmSync(join(cwd, 'plan.md'));
  writeFileSync(join(cwd, 'elsewhere.md'), definition('plan'));
  symlinkSync('elsewhere.md', join(cwd, 'plan.md'));
  const { stdout } = await cli('handoff', 'resume', 'saved.json', '--dry-run');
  assert.match(stdout, /^documents {2}same: plan\.md\n {11}missing: AGENTS\.md\n {11}unknown: unhashed\.md$/m);
  assert.match(stdout, /AGENTS\.md cannot be read any more\./);
});

test('T-35 a file of another version, a damaged one and another kind of file are refused with a sentence, and stay as they are', async t => {
  const { cli, cwd, home, handoffs } = placeOf(t);
  turnOn(home);
  for (const [content, reason] of [
    [JSON.stringify({ ...savedFile(), version: 2 }), 'its version is 2, and this program reads 1. Use the version of'],
    [JSON.stringify({ ...savedFile(), error_history: [1] }), 'error_history'],
    ['{"name":"x"}', 'it is no handoff file of context-lifecycle'],
    ['{', 'it is no JSON. Save the session again.'],
    [Buffer.from([0x7b, 0xff]), 'It is no UTF-8 text, so it is no handoff file.'],
  ] as const) {
    const path = join(cwd, 'wrong.json');
    writeFileSync(path, content);
    const { mtimeMs } = statSync(path);
    const { stdout, stderr, exitCode } = await cli('handoff', 'resume', 'wrong.json');
    assert.ok(stderr.startsWith('context-lifecycle: wrong.json: ') && stderr.includes(reason), stderr);
    assert.deepEqual([stdout, exitCode], ['', 2]);
    assert.deepEqual(readFileSync(path), Buffer.from(content));
    assert.equal(statSync(path).mtimeMs, mtimeMs);
  }
  const gone = await cli('handoff', 'resume', 'gone.json');
  assert.equal(gone.stderr, 'context-lifecycle: gone.json: There is no such file or folder.\n');
  assert.deepEqual(pendingHandoffs(handoffs).found, []);
});

test('with the layer off resume refuses and says how to turn it on; --dry-run says all the same what is in the file', async t => {
  const { cli, home, handoffs } = placeOf(t);
  const off = await cli('handoff', 'resume', 'saved.json');
  assert.deepEqual([off.stdout, off.exitCode], ['', 2]);
  assert.match(
    off.stderr,
    /^context-lifecycle: handoff resume: The budget layer is off, .* Write "budget": \{"enabled": true\} into .*config\.json first\.\n$/,
  );
  const dry = await cli('handoff', 'resume', 'saved.json', '--dry-run');
  assert.match(dry.stdout, /^Session first\n/);
  assert.doesNotMatch(dry.stdout, /next new session/);
  assert.match(dry.stdout, /\n\nNo session goes on from it: this was a dry run\.\n$/);
  assert.deepEqual([dry.stderr, dry.exitCode], ['', 0]);
  turnOn(home, { window: 0 });
  const wrong = await cli('handoff', 'resume', 'saved.json');
  assert.match(wrong.stderr, /'budget\.window' must be a whole number of tokens from 1/);
  assert.match(wrong.stderr, /no session would go on from the file\. Mend what is wrong in the settings; /);
  assert.equal(wrong.exitCode, 2);
  turnOn(home, {}, { countTokens: false });
  const uncounted = await cli('handoff', 'resume', 'saved.json');
  assert.match(
    uncounted.stderr,
    /^context-lifecycle: handoff resume: The budget layer is off, .* Tokens are not counted: set "countTokens" to true in .*config\.json first\.\n$/,
  );
  assert.deepEqual([uncounted.stdout, uncounted.exitCode], ['', 2]);
  assert.deepEqual(pendingHandoffs(handoffs).found, []);
});

test('--agent and --cwd say whose session it is, a later file replaces an earlier one, and --cancel takes it back', async t => {
  const { cli, cwd, home, handoffs } = placeOf(t);
  turnOn(home);
  mkdirSync(join(cwd, 'inner'));
  symlinkSync('inner', join(cwd, 'link'));
  const first = await cli('handoff', 'resume', 'saved.json', '--agent', 'pi', '--cwd', 'link');
  assert.ok(first.stdout.endsWith(`\nThe next new session of pi in ${join(cwd, 'inner')} goes on from it.\n`));
  const second = await cli('handoff', 'resume', 'saved.json', '--agent', 'pi', '--cwd', 'inner');
  assert.match(second.stdout, /goes on from it\. It takes the place of the one that waited there\.\n$/);
  assert.deepEqual(
    pendingHandoffs(handoffs).found.map(one => [one.cwd, one.agent]),
    [[join(cwd, 'inner'), 'pi']],
  );
  assert.equal(takePendingHandoff({ folder: handoffs, cwd: join(cwd, 'inner'), agent: 'codex' }), undefined);
  const other = await cli('handoff', 'resume', '--cancel', '--cwd', 'inner', '--agent', 'codex');
  assert.equal(other.stderr, `context-lifecycle: ${join(cwd, 'inner')}: No handoff waits there for codex.\n`);
  assert.equal(other.exitCode, 2);
  const cancelled = await cli('handoff', 'resume', '--cancel', '--cwd', 'inner');
  assert.equal(cancelled.stdout, `The next session of pi does not go on from ${join(cwd, 'saved.json')}.\n`);
  assert.equal(cancelled.exitCode, 0);
  assert.deepEqual(pendingHandoffs(handoffs).found, []);
  const nowhere = await cli('handoff', 'resume', 'saved.json', '--cwd', 'no-folder');
  assert.match(nowhere.stderr, /The folder no-folder cannot be used\. There is no such file or folder\.\n$/);
  for (const wrong of [['--cancel', 'saved.json'], []]) {
    const { stderr, exitCode } = await cli('handoff', 'resume', ...wrong);
    assert.match(stderr, /^error: resume takes a file, or --cancel/);
    assert.equal(exitCode, 2);
  }
});

test('what contradicts itself in a file is told, with the lines that will be struck', async t => {
  const file = savedFile();
  const [summary] = file.history;
  assert.ok(summary);
  const record = { ...summary.record, active_constraints: ['Use tabs everywhere', 'nobody said this'] };
  assert.ok(file.tier1);
  const tier1 = { ...file.tier1, objective: 'Something else' };
  const { cli } = placeOf(t, { history: [{ ...summary, record }], tier1 });
  const { stdout, exitCode } = await cli('handoff', 'resume', 'saved.json', '--dry-run');
  assert.match(stdout, /^checks {5}not so: task and constraints are as they were saved$/m);
  assert.match(stdout, /not so: summaries hold no value that was replaced\n +will be struck: Use tabs everywhere$/m);
  assert.match(stdout, /will be struck: nobody said this$/m);
  assert.equal(exitCode, 0);
});

test('a file of somebody else can print nothing that a terminal obeys, and fills no screen', async t => {
  const hostile = '\u001b[2J\n::error::x \u202e##[group]';
  const many = Array.from({ length: 5000 }, (_, index) => `${hostile}${index}`);
  const file = savedFile();
  const [block] = file.lifecycle.blocks;
  assert.ok(block);
  const { cli, home } = placeOf(t, {
    session: hostile.repeat(50),
    tier1: {
      objective: hostile,
      constraints: many.map(id => ({ id, text: hostile })),
      sha256: sha256(''),
      overrides: many.map(old => ({ old })),
    },
    pending_actions: many,
    documents: many.map(document => ({ document })),
    omitted_results: many,
    gaps: many,
    lifecycle: { ...file.lifecycle, blocks: many.map(blockId => ({ ...block, blockId })) },
  });
  turnOn(home);
  const { stdout, stderr, exitCode } = await cli('handoff', 'resume', 'saved.json', '--agent', hostile);
  assert.equal(exitCode, 0, stderr);
  assertHarmless(stdout + stderr, 'resume');
  const lines = stdout.split('\n');
  assert.ok(lines.length < 80, `${lines.length} lines`);
  for (const line of lines) {
    assert.doesNotMatch(line, /^\s*::/);
  }
  assertHarmless((await cli('handoff', 'resume', '--cancel')).stdout, 'cancel');
});
