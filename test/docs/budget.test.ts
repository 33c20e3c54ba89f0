import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { knownWindow } from '../../adapter/budget/modelWindows.ts';
import { parseUserConfig } from '../../local/userConfig.ts';
import { checkCoherence } from '../../protocol/budget/coherence.ts';
import { TIER_SHARES } from '../../protocol/budget/limits.ts';
import { seedTwoFormat } from '../../protocol/lifecycle/seedTwoFormat.ts';
import { initialState } from '../../protocol/log/reduce.ts';
import { breakEven } from '../../protocol/request/price.ts';
import { fencesOf, readPage, root, sectionsOf, tableRows } from './pages.ts';

const PAGE = 'docs/budget.md';
const page = readPage(PAGE);

function sectionOf(title: string): string {
  return sectionsOf(page).find(section => section.title === title)?.text ?? '';
}

test('every example of settings on the page of the budget is legal, and turns the layer on', () => {
  const examples = fencesOf(page, 'json');
  assert.ok(examples.length >= 4);
  for (const example of examples) {
    const { config, problems } = parseUserConfig('config.json', example);
    assert.deepEqual(problems, [], example);
    assert.equal(config.budget.enabled, true, example);
  }
});

test('the page of the budget has each of its settings, with the defaults of the schema', () => {
  const { budget } = (
    JSON.parse(readFileSync(join(root, 'schemas/config.schema.json'), 'utf8')) as {
      readonly properties: {
        readonly budget: {
          readonly properties: object;
          readonly default: Readonly<Record<string, unknown>>;
        };
      };
    }
  ).properties;
  const rows = tableRows(sectionOf('Settings'));
  assert.deepEqual(
    rows.map(([name]) => name),
    Object.keys(budget.properties).map(name => `\`${name}\``),
  );
  assert.deepEqual(
    Object.fromEntries(rows.flatMap(([name = '', usual = '']) => (usual.startsWith('`') ? [[name, usual]] : []))),
    Object.fromEntries(
      Object.entries(budget.default).map(([name, value]) => [`\`${name}\``, `\`${JSON.stringify(value)}\``]),
    ),
  );
});

test('the page of the budget says what is known of models, row by row', () => {
  const rows = tableRows(sectionOf('The limit')).filter(row => row.length === 3);
  assert.ok(rows.length >= 8);
  const tokens = (cell = ''): number | undefined =>
    cell === '' ? undefined : Number(/[\d,]+/.exec(cell)?.[0].replaceAll(',', ''));
  for (const [names = '', window, inputLimit] of rows) {
    const models = [...names.matchAll(/`([^`…]+)…?`/g)].map(([, name = '']) => name);
    for (const model of models.length > 0 ? models : ['a-model-that-nobody-knows']) {
      const known = knownWindow(model);
      assert.deepEqual([known.window.tokens, known.inputLimit?.tokens], [tokens(window), tokens(inputLimit)], model);
      assert.equal(known.window.source.startsWith('assumed'), models.length === 0, model);
    }
  }
});

test('the page of the budget says what each tier may take', () => {
  assert.deepEqual(
    tableRows(sectionOf('Four tiers')).map(([tier, , share]) => [tier, share]),
    Object.values(TIER_SHARES).map((share, index) => [String(index + 1), `${share} %`]),
  );
});

test('the page of the budget names every check of a session, and says which nobody decides', () => {
  const nothing = { requestSequence: 1, entries: [], format: seedTwoFormat, sha256: () => '' };
  const { results } = checkCoherence([], nothing, initialState, {
    tier1: { constraints: [] },
    superseded: [],
    untold: [],
    prefixText: '',
  });
  const rows = tableRows(sectionOf('Restated and checked'));
  assert.deepEqual(
    rows.map(([check]) => check),
    results.map(({ check }) => `\`${check}\``),
  );
  const undecided = rows.flatMap(([check, , by = '']) => (by.startsWith('*not evaluated*') ? [check] : []));
  assert.deepEqual(undecided, ['`behaviour`', '`expectations`']);
});

test('the report on the page has the form of seed 3, with percentages that are right', () => {
  const report = fencesOf(page, 'text').find(text => text.includes('Context Usage Report:')) ?? '';
  const lines = report.slice(report.indexOf('Context Usage Report:')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map(line =>
      line
        .replace(/\d+ \/ \d+ \(\d+%\)/, '…')
        .replace(/: (?:NORMAL|COMPRESSED|CRITICAL|\d+|never|\d{4}-\d\d-\d\dT[\d:]+Z)$/, ': X'),
    ),
    [
      'Context Usage Report:',
      ...[1, 2, 3, 4].map(tier => `  TIER ${tier}: …`),
      '  Total:  …',
      '  Status: X',
      '  Compressions performed: X',
      '  Last coherence check: X',
    ],
  );
  const rows = [...report.matchAll(/(\d+) \/ (\d+) \((\d+)%\)/g)].map(([, ...numbers]) => numbers.map(Number));
  for (const [tokens = 0, max = 0, percent] of rows) {
    assert.equal(Math.floor((tokens * 200 + max) / (2 * max)), percent);
  }
  const [window = 0] = rows.at(-1)?.slice(1) ?? [];
  assert.deepEqual(
    rows.slice(0, 4).map(([, max]) => max),
    Object.values(TIER_SHARES).map(share => (window * share) / 100),
  );
});

test('the worked example of a compression pays back when the page says so', () => {
  const text = sectionOf('What a change costs');
  const numbers = /([\d,]+) tokens are freed and ([\d,]+) rewritten[^]*?that is (\d+) requests/.exec(text)?.slice(1);
  const [freed = 0, rewritten = 0, requests] = (numbers ?? []).map(number => Number(number.replaceAll(',', '')));
  assert.equal(breakEven(rewritten, freed), requests);
  assert.ok(text.includes('`breakEven = rewritten × (1.25 − 0.1) ÷ (freed × 0.1)`'));
});

test('the page of the budget names where its rules come from, with version and licence', () => {
  const source = sectionOf('Where the rules come from').replace(/\s+/g, ' ');
  for (const words of [
    'Protocol: Managing 1 Million Token Context Windows',
    'version 2.1',
    'clawpedia.io',
    'CC BY 4.0',
    'Ours',
  ]) {
    assert.ok(source.includes(words), words);
  }
});
