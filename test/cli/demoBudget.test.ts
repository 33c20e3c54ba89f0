import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readLog } from '../../local/logFile.ts';
import { usageReport } from '../../protocol/budget/usageReport.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { RequestHistory } from '../../protocol/request/requestHistory.ts';
import { dataOf, foldOf } from '../adapter/session/sessionKit.ts';
import { homeOf } from './sessionKit.ts';

interface Demo {
  readonly id: string;
  readonly events: readonly LogEvent[];
  /** What the model received, in order. */
  readonly bodies: readonly string[];
  readonly stdout: string;
  cli: ReturnType<typeof homeOf>['cli'];
}

async function runDemo(t: TestContext, args: readonly string[], config?: object): Promise<Demo> {
  const { cli, cwd, home } = homeOf(t);
  if (config) {
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  }
  const { stdout, stderr, exitCode } = await cli('demo', '--fast', '--record', 'received', ...args);
  assert.equal(stderr, '');
  assert.equal(exitCode, 0);
  const { sessions } = JSON.parse((await cli('sessions', '--json')).stdout) as {
    readonly sessions: readonly { readonly id: string; readonly log: string }[];
  };
  const [session] = sessions;
  assert.ok(session);
  const folder = join(cwd, 'received');
  const bodies = readdirSync(folder).map((_, index) => readFileSync(join(folder, `${index + 1}.json`), 'utf8'));
  const { events } = await readLog(session.log);
  return { id: session.id, events, bodies, stdout, cli };
}

const REPORT = new RegExp(
  [
    '^Context Usage Report:',
    ...[1, 2, 3, 4].map(tier => ` {2}TIER ${tier}: \\d+ / \\d+ \\(\\d+%\\)`),
    ' {2}Total: {2}\\d+ / \\d+ \\(\\d+%\\)',
    ' {2}Status: (NORMAL|COMPRESSED|CRITICAL)',
    ' {2}Compressions performed: \\d+',
    ' {2}Last coherence check: (never|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ)$',
  ].join('\n'),
);

test('T-37 the report of the demo has the format of seed 3, and the layer changes nothing in its requests', {
  timeout: 120_000,
}, async t => {
  const { id, events, bodies, cli } = await runDemo(t, []);
  const { stdout } = await cli('report', id);
  assert.match(stdout.trimEnd(), REPORT);
  assert.match(stdout, /Total: {2}\d+ \/ 200000 [^]*Status: NORMAL\n {2}Compressions performed: 0\n/);
  assert.equal(stdout.trimEnd(), usageReport(foldOf(events))?.text, 'T-39');
  const types = events.map(({ type }) => type).filter(type => type.startsWith('budget/'));
  assert.deepEqual(
    types,
    bodies.map(() => 'budget/measured'),
    'T-01: it measures, and edits and appends nothing',
  );
});

test('the demo follows the settings of the person, but for that the layer is on', { timeout: 120_000 }, async t => {
  const task = 'Give the service due dates.';
  const { events, bodies } = await runDemo(t, [], { budget: { window: 30_000, task } });
  assert.ok(bodies.every(body => body.includes(task)));
  const limits = dataOf(events, 'budget/measured').map(measured => measured.limits.window);
  assert.deepEqual(new Set(limits.map(({ tokens, source }) => `${tokens} ${source}`)), new Set(['30000 config.json']));
});

test('the long demo is compressed again and again, keeps what was to be kept, and its log gives each request byte for byte', {
  timeout: 180_000,
}, async t => {
  const { id, events, bodies, stdout, cli } = await runDemo(t, ['--budget']);
  assert.equal(bodies.length, 132);
  const history = new RequestHistory();
  events.forEach(event => history.append(event));
  for (const [index, body] of bodies.entries()) {
    assert.equal(history.sealedText(index + 1), body, `request ${index + 1}`);
  }
  const { budget } = foldOf(events);
  assert.ok(budget.compressions >= 4, `${budget.compressions} compressions`);
  const passes = dataOf(events, 'budget/pass');
  for (const number of [1, passes[0]?.requestSequence ?? 0, 100, 132]) {
    const shown = await cli('show', id, String(number));
    assert.deepEqual(shown, { stdout: bodies[number - 1], stderr: '', exitCode: 0 }, `request ${number}`);
  }
  assert.deepEqual(
    new Set(dataOf(events, 'request/receipt').map(({ result }) => result)),
    new Set(['matched']),
    'each edited request left as it was sealed',
  );
  for (const { total, limits } of budget.measures) {
    assert.ok(total.tokens <= limits.hard, 'I4');
  }

  const appended = dataOf(events, 'budget/edit').filter(({ kind }) => kind === 'append');
  assert.deepEqual(
    appended.map(({ notice, interactions }) => [notice, interactions]),
    [
      ['anchor', 50],
      ['constraint-update', undefined],
      ['anchor', 100],
    ],
    'T-41',
  );
  assert.deepEqual(
    dataOf(events, 'budget/checked').map(({ interactions, results }) => [
      interactions,
      results.some(({ result }) => result === 'contradiction'),
    ]),
    [[100, false]],
    'T-17',
  );
  const has = (text: string): readonly number[] =>
    bodies.flatMap((body, index) => (body.includes(text) ? [index + 1] : []));
  const all = bodies.map((_, index) => index + 1);
  assert.deepEqual(has('Use the standard library of Node only: no dependencies.'), all);
  assert.deepEqual(has('You must always write the test before the code.'), all, 'T-09: what was said in the talk');
  assert.deepEqual(has('Commit to the branch next, and do not touch main.'), all, 'T-28: the prefix stays');
  const discarded = dataOf(events, 'block/discarded')[0]?.requestSequence ?? 0;
  assert.deepEqual(
    has('Commit to the branch release-2, and do not touch main.'),
    all.filter(number => number >= discarded),
    'T-29',
  );
  assert.deepEqual(
    has('## While we plan'),
    all.filter(number => number < discarded),
  );
  assert.ok(discarded > 50);
  assert.equal(
    has('# fail 2').length,
    dataOf(events, 'ephemeral/consumed').length / 2 + 1,
    'each test run is sent once, and once more where an answer fails',
  );

  const report = usageReport(foldOf(events))?.text ?? '';
  assert.match(report, REPORT);
  assert.ok(stdout.includes(`\n${report}\n\nCompressions: ${budget.compressions}\n`));
  assert.match(stdout, /\nConstraints in the last request, to the character: 9 of 9\n/);
  assert.match(stdout, /• History was compressed before request \d+ /);
  assert.match(stdout, /• The session was checked after 100 interactions /);
  const first = passes[0]?.requestSequence ?? 0;
  assert.match(
    stdout,
    new RegExp(`\\n {2}\\S.* diff \\S+ ${first - 1} ${first}\\n`),
    'it says where to see the first compression',
  );
});
