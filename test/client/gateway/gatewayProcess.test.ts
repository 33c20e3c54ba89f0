import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { GatewayProcess } from '../../../client/gateway/gatewayProcess.ts';
import { privateFolder } from '../../adapter/host/hostKit.ts';
import { MAIN } from '../../cli/cliKit.ts';
import { inTime } from '../../server/deadline.ts';

const LINE = {
  address: 'http://127.0.0.1:4711/0123456789abcdef0123456789abcdef',
  hookAddress: 'http://127.0.0.1:4711/fedcba9876543210fedcba9876543210',
  port: 4711,
  sources: ['/a/AGENTS.md'],
  notes: ['GEMINI.md declares 1 block.'],
};
const SAY = `console.log(${JSON.stringify(JSON.stringify(LINE))});`;
const UNTIL_CLOSED = "process.stdin.resume().once('end', () => process.exit(0));";

interface Begun {
  readonly script: string;
  readonly cwd: string;
  readonly sources?: readonly string[];
}

function begin(t: TestContext, { script, cwd, sources = [] }: Begun) {
  const lines: string[] = [];
  let tell: (reason: string | undefined) => void = () => {};
  const ended = new Promise<string | undefined>(resolve => {
    tell = resolve;
  });
  const gateway = new GatewayProcess({ script, cwd, sources, said: line => void lines.push(line), ended: tell });
  t.after(() => gateway.stop());
  return { gateway, lines, ended: inTime(ended, 'the end of the gateway') };
}

function start(t: TestContext, text: string, sources: readonly string[] = []) {
  const cwd = privateFolder(t);
  const script = join(cwd, 'gateway.mjs');
  writeFileSync(script, text);
  return begin(t, { script, cwd, sources });
}

test('a gateway runs by the editor’s own Node, with the command line that is shipped and the chosen context files', async t => {
  const text = 'console.error(process.argv.slice(2).join(" "), process.env.ELECTRON_RUN_AS_NODE); process.exit(2);';
  const { ended } = start(t, text, ['/a/AGENTS.md', '/b c/GEMINI.md']);
  assert.equal(await ended, 'gateway --json --source /a/AGENTS.md --source /b c/GEMINI.md 1');
});

test('it says where it listens, and ends without a reason when it is asked to', async t => {
  const { gateway, ended } = start(t, SAY + UNTIL_CLOSED);
  assert.deepEqual(await gateway.started, LINE);
  await gateway.stop();
  assert.equal(await ended, undefined);
});

test('one that cannot start gives nothing, and its last words are the reason', async t => {
  const words = 'context-lifecycle: gateway: one\\ncontext-lifecycle: gateway: The port is taken.\\n';
  const { gateway, lines, ended } = start(t, `process.stderr.write('${words}'); process.exitCode = 2;`);
  assert.equal(await gateway.started, undefined);
  assert.equal(await ended, 'The port is taken.');
  assert.deepEqual(lines, ['one', 'The port is taken.']);
});

test('one that ends by itself later says why', async t => {
  const { gateway, ended } = start(t, `${SAY} setTimeout(() => { process.exitCode = 7; }, 10);`);
  assert.deepEqual(await gateway.started, LINE);
  assert.equal(await ended, 'Exit code 7.');
});

test('a first line that is none is not believed, and that gateway is ended', async t => {
  const { gateway, ended } = start(t, `console.log('{"address":"http://example.org"}');${UNTIL_CLOSED}`);
  assert.equal(await gateway.started, undefined);
  assert.equal(await ended, 'Its first line could not be read.');
});

test('a script that is not there gives a reason too', async t => {
  const cwd = privateFolder(t);
  const { gateway, ended } = begin(t, { script: join(cwd, 'gone.mjs'), cwd });
  assert.equal(await gateway.started, undefined);
  assert.notEqual(await ended, undefined);
});

test('the real command line says what it loads, and goes when it is asked to', async t => {
  const cwd = privateFolder(t);
  const source = join(cwd, 'AGENTS.md');
  writeFileSync(source, '# Rules\n');
  const { gateway, lines, ended } = begin(t, { script: MAIN, cwd, sources: [source] });
  const started = await inTime(gateway.started, 'the first line');
  assert.deepEqual(started?.sources, [source], lines.join());
  const answer = await fetch(`${started.address}x/anthropic/v1/messages`);
  assert.equal(answer.status, 403, 'it listens there, and another secret opens nothing');
  await gateway.stop();
  assert.equal(await ended, undefined);
  assert.deepEqual(lines, []);
});
