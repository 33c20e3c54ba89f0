import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commandSummaries } from '../../../../adapter/budget/summarizers/commandSummaries.ts';
import { RECORD_SCHEMA, SUMMARY_TASK } from '../../../../adapter/budget/summarizers/summaryTask.ts';
import { inTime } from '../../../server/deadline.ts';
import { folderOf, partOf, program, recordOf } from './summarizerKit.ts';

const parts = [
  partOf({ unit: 'u1', text: 'You must use tabs.', time: 0 }, { unit: 'u2', text: 'ok', kind: 'assistant' }),
  partOf({ unit: 'u3', text: 'boom', kind: 'tool-result', isError: true }),
];

const GOOD = `console.log(JSON.stringify({ summaries: ${JSON.stringify([recordOf('a'), recordOf('b')])} }));`;

const made = [
  { units: ['u1', 'u2'], value: recordOf('a') },
  { units: ['u3'], value: recordOf('b') },
];

/** What a program comes to that is given both parts. */
async function answered(t: TestContext, source: string): Promise<unknown> {
  const { by: _, ...rest } = await commandSummaries({ command: program(t, source) }).make(parts, undefined);
  return rest;
}

test('a command is given task, record and parts as one JSON document, and its records go to their parts', async t => {
  const told = join(folderOf(t), 'told.json');
  const command = program(
    t,
    `import { readFileSync, writeFileSync } from 'node:fs'; writeFileSync(process.argv[2], readFileSync(0)); ${GOOD}`,
  );
  const maker = commandSummaries({ command: [...command, told] });
  const summaries = await maker.make(parts, undefined);
  assert.deepEqual(summaries, { by: maker.name, summaries: made });
  assert.match(maker.name, /^command:node/);
  const paths = ['src/a.ts'];
  assert.deepEqual(JSON.parse(readFileSync(told, 'utf8')), {
    version: 1,
    task: SUMMARY_TASK,
    record: RECORD_SCHEMA,
    parts: [
      {
        units: ['u1', 'u2'],
        groups: [
          {
            units: [
              { unit: 'u1', kind: 'user', text: 'You must use tabs.', isError: false, time: '1970-01-01T00:00:00Z' },
              { unit: 'u2', kind: 'assistant', text: 'ok', isError: false },
            ],
            paths,
          },
        ],
      },
      {
        units: ['u3'],
        groups: [{ units: [{ unit: 'u3', kind: 'tool-result', text: 'boom', isError: true }], paths }],
      },
    ],
  });
});

test('of a long tool result both ends are told, of what a user said everything', async t => {
  const told = join(folderOf(t), 'told.json');
  const command = program(
    t,
    `import { readFileSync, writeFileSync } from 'node:fs'; writeFileSync(process.argv[2], readFileSync(0)); ${GOOD}`,
  );
  const long = `start${'x'.repeat(10_000)}end`;
  const maker = commandSummaries({ command: [...command, told] });
  await maker.make(
    [partOf({ unit: 'a', text: long }), partOf({ unit: 'b', text: long, kind: 'tool-result' })],
    undefined,
  );
  const document = JSON.parse(readFileSync(told, 'utf8')) as {
    parts: { groups: { units: { text: string }[] }[] }[];
  };
  const [said, given] = document.parts.map(part => part.groups[0]?.units[0]?.text ?? '');
  assert.equal(said, long);
  assert.match(given ?? '', /^startx{1995}\n\[… 6008 characters are left out here …\]\nx{1997}end$/);
});

test('words of the command are read by no shell', async t => {
  const folder = folderOf(t);
  const word = `"; touch ${join(folder, 'made')} #$(touch ${join(folder, 'made')})`;
  const command = program(t, 'console.log(JSON.stringify({ summaries: [{ topic: process.argv[2] }, {}] }));');
  const { by: _, ...rest } = await commandSummaries({ command: [...command, word] }).make(parts, undefined);
  assert.deepEqual(rest, {
    summaries: [
      { units: ['u1', 'u2'], value: { topic: word } },
      { units: ['u3'], value: {} },
    ],
  });
  assert.ok(!existsSync(join(folder, 'made')));
});

test('an answer in a fence, after a byte order mark, or beside a flood of complaints is an answer', async t => {
  const sources = [
    `console.log('\`\`\`json'); ${GOOD} console.log('\`\`\`');`,
    `process.stdout.write('\\uFEFF'); ${GOOD}`,
    `process.stderr.write('x'.repeat(5_000_000), () => { ${GOOD} });`,
  ];
  for (const source of sources) {
    assert.deepEqual(await answered(t, source), { summaries: made });
  }
});

test('a command that reads nothing of a long document may still answer', async t => {
  const long = [partOf({ unit: 'u1', text: 'x'.repeat(3_000_000) })];
  const command = program(
    t,
    `import { closeSync } from 'node:fs'; closeSync(0); console.log(${JSON.stringify(JSON.stringify({ summaries: [recordOf('a')] }))});`,
  );
  const { by: _, ...rest } = await commandSummaries({ command }).make(long, undefined);
  assert.deepEqual(rest, { summaries: [{ units: ['u1'], value: recordOf('a') }] });
});

const FAILURES: readonly (readonly [what: string, source: string, reason: string])[] = [
  ['ends with a code', `${GOOD} process.exitCode = 3;`, 'it ended with code 3'],
  ['is killed', "process.kill(process.pid, 'SIGKILL'); setInterval(() => 0, 1000);", 'it was ended by SIGKILL'],
  ['says nothing', '', 'its answer is no JSON'],
  ['says something else', "console.log('Here is your summary:'); console.log('{}');", 'its answer is no JSON'],
  ['gives no list', "console.log('[]');", 'its answer has no list of summaries'],
  ['gives an object', `console.log('{"summaries":{}}');`, 'its answer has no list of summaries'],
  ['gives too few', `console.log('{"summaries":[{}]}');`, 'its answer has 1 summaries instead of 2'],
  ['gives no UTF-8', 'process.stdout.write(Buffer.from([0x22, 0xff, 0x22]));', 'its answer is no UTF-8'],
  [
    'has no end',
    "const flood = () => process.stdout.write('x'.repeat(65536), flood); flood();",
    'its answer is longer than 4 MB',
  ],
];

for (const [what, source, reason] of FAILURES) {
  test(`T-14 a command that ${what} gives no summaries, and says why`, async t => {
    assert.deepEqual(await answered(t, source), { failed: reason });
  });
}

test('T-14 a command that cannot be started gives no summaries, and says why', async t => {
  const file = join(folderOf(t), 'plain');
  writeFileSync(file, 'text');
  chmodSync(file, 0o600);
  const reasons = [];
  for (const program of [join(file, '..', 'nothing'), file]) {
    reasons.push(await commandSummaries({ command: [program] }).make(parts, undefined));
  }
  assert.deepEqual(reasons, [
    { by: 'command:nothing', failed: 'it could not be started (there is no such program)' },
    { by: 'command:plain', failed: 'it could not be started (it may not be started)' },
  ]);
});

/** A program that connects to the test, heeds no polite signal, and starts another one that does the same. */
const STUBBORN = `
  import { spawn } from 'node:child_process';
  import { connect } from 'node:net';
  const [, file, port, isInner] = process.argv;
  process.on('SIGTERM', () => undefined);
  process.on('SIGINT', () => undefined);
  connect(Number(port), '127.0.0.1').on('error', () => undefined);
  if (!isInner) spawn(process.execPath, [file, port, 'inner'], { stdio: ['ignore', 'inherit', 'ignore'] });
`;

/** The stubborn program's command, and a promise of the connections of both its processes. */
async function stubborn(t: TestContext) {
  const server = createServer();
  const sockets: Socket[] = [];
  const bothCame = new Promise<readonly Promise<unknown>[]>(resolve => {
    server.on('connection', socket => {
      sockets.push(socket.on('error', () => undefined).resume());
      if (sockets.length === 2) {
        resolve(sockets.map(one => once(one, 'close')));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    sockets.forEach(socket => socket.destroy());
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { command: [...program(t, STUBBORN), String(port)], bothCame };
}

test('T-14 a command that takes too long is killed with what it started, and that is said', {
  timeout: 20_000,
}, async t => {
  const { command, bothCame } = await stubborn(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = commandSummaries({ command }).make(parts, undefined);
  const gone = await bothCame;
  t.mock.timers.tick(30_000);
  t.mock.timers.reset();
  assert.deepEqual(await inTime(asked, 'the failure'), {
    by: 'command:node',
    failed: 'it took longer than 30 seconds',
  });
  await inTime(Promise.all(gone), 'the end of both processes');
});

test('an abort rejects with its reason at once, and the command is killed with what it started', async t => {
  const { command, bothCame } = await stubborn(t);
  const abort = new AbortController();
  const asked = commandSummaries({ command }).make(parts, abort.signal);
  const gone = await inTime(bothCame, 'both processes');
  const reason = new Error('given up');
  abort.abort(reason);
  await assert.rejects(inTime(asked, 'the abort'), reason);
  await inTime(Promise.all(gone), 'the end of both processes');
});

test('a command does not outlive the process that asks it', async t => {
  const { command, bothCame } = await stubborn(t);
  const module = new URL('../../../../adapter/budget/summarizers/commandSummaries.ts', import.meta.url);
  const [node = '', file = ''] = program(
    t,
    `import { commandSummaries } from ${JSON.stringify(module)};
    process.stdin.on('end', () => process.exit(0)).resume();
    await commandSummaries({ command: ${JSON.stringify(command)} }).make(${JSON.stringify(parts)}, undefined);`,
  );
  const agent = spawn(node, ['--no-warnings', file], { stdio: ['pipe', 'ignore', 'inherit'] });
  t.after(() => agent.kill('SIGKILL'));
  const gone = await inTime(bothCame, 'both processes');
  agent.stdin.end();
  await inTime(Promise.all(gone), 'the end of both processes');
});

test('an abort before anything could start rejects too, and nothing comes after it', async t => {
  const told = join(folderOf(t), 'told');
  const command = program(t, `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(told)}, '');`);
  const reason = new Error('given up');
  await assert.rejects(commandSummaries({ command }).make(parts, AbortSignal.abort(reason)), reason);
  assert.ok(!existsSync(told));
  const abort = new AbortController();
  const asked = commandSummaries({ command: [join(told, 'nothing')] }).make(parts, abort.signal);
  abort.abort(reason);
  // The program's missing is told later: an error that nobody listens for would end this process.
  await assert.rejects(asked, reason);
});

test('for no part nothing is started', async () => {
  assert.deepEqual(await commandSummaries({ command: ['/nothing/here'] }).make([], undefined), {
    by: 'command:here',
    summaries: [],
  });
});

test('a command that names no program, and a time that cannot be waited for, are errors at once', () => {
  for (const command of [[], [''], ['a\0b'], ['a', '\0']]) {
    assert.throws(() => commandSummaries({ command }), { name: 'TypeError', message: /names a program/ });
  }
  for (const timeoutSeconds of [0, -1, Number.NaN, 86_401, Number.POSITIVE_INFINITY]) {
    assert.throws(() => commandSummaries({ command: ['a'], timeoutSeconds }), {
      name: 'RangeError',
      message: 'timeoutSeconds must be a number above 0 and at most 86400.',
    });
  }
});

test('a name is one short line that no terminal obeys', () => {
  const { name } = commandSummaries({ command: [`a\n\u001b[2J${'x'.repeat(500)}`] });
  assert.match(name, /^command:a \\u\{1b\}\[2Jx+…$/);
  assert.equal(name.length, 101);
});
