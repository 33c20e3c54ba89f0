import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../protocol/request/json.ts';
import { block } from './cliKit.ts';
import { ask, call, homeOf, INPUT, OUTPUT, result, text, threeRequests } from './sessionKit.ts';

/** The lines of a part, from its name to the next part. */
function partOf(stdout: string, part: string): readonly string[] {
  const parts = stdout.split('\n\n');
  return (
    parts
      .find(lines => lines.startsWith(part))
      ?.trimEnd()
      .split('\n') ?? []
  );
}

test('diff shows a block that left and a tombstone that came, each with the event that caused it', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'session-1' });
  await threeRequests(session);
  await session.close();
  const { stdout, stderr, exitCode } = await cli('diff', 'session-1', '2', '3');
  assert.equal(stderr, '');
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /^Session session-, request 2 → 3\n--- request 2 {2}\d+ bytes, sha256 [0-9a-f]{64}\n\+\+\+ request 3/,
  );
  for (const part of ['config', 'system', 'tools']) {
    assert.match(partOf(stdout, part).join('\n'), new RegExp(`^${part}  the same, \\d+ bytes$`));
  }
  const prefix = partOf(stdout, 'prefix');
  assert.deepEqual(
    prefix.filter(line => /^ {2}[-+]/.test(line)),
    ['<!--BLOCK_ID:plan-->', 'Plan first.', '<!--/BLOCK_ID:plan-->'].map(line => `  -         ${line}`),
  );
  assert.match(
    prefix.at(-1) ?? '',
    /^ {4}because of #\d+ block\/discarded: workflow discarded block plan: it is absent from/,
  );
  const messages = partOf(stdout, 'messages');
  assert.equal(messages[0], 'messages  1 changed, 2 added, 2 the same');
  assert.match(messages[1] ?? '', /^ {2}\[3\] user \(tool-result\) {2}\d+ bytes → \d+ bytes, #\d+, tombstone$/);
  assert.ok(messages.includes('  -           line 2'));
  assert.ok(
    messages.includes(
      `  +         text: "[EPHEMERAL:Output omitted after consumption;original_bytes=${Buffer.byteLength(JSON.stringify([{ type: 'text', text: OUTPUT }]))}]"`,
    ),
  );
  const causes = messages.filter(line => line.includes('because of'));
  assert.equal(causes.length, 1);
  assert.match(
    causes[0] ?? '',
    /#\d+ ephemeral\/consumed: A tombstone stands for ephemeral content of tool:bash from request 3/,
  );
});

test('diff from a later request to an earlier one is the same the other way round', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'session-1' });
  await threeRequests(session);
  const lines = async (a: string, b: string) => (await cli('diff', 'session-1', a, b)).stdout.split('\n');
  const signs = { '-': '+', '+': '-' } as const;
  const changed = (all: readonly string[]) => all.filter(line => /^ {2}[-+] /.test(line)).sort();
  const turned = (await lines('3', '2')).map(line =>
    line.replace(/^( {2})([-+]) /, (_, margin, sign: '-' | '+') => `${margin}${signs[sign]} `),
  );
  assert.deepEqual(changed(turned), changed(await lines('2', '3')));
  const same = await lines('2', '2');
  assert.deepEqual(changed(same), []);
  assert.ok(same.includes('messages  the same, 3 messages'));
});

test('diff names for each block that comes or goes its own event, after a resume too', async t => {
  const { cli, open } = homeOf(t);
  const messages = [text('user', 'a')];
  const load = (id: string) =>
    ({ source: `${id}.md`, class: 'context-file', text: block(id, `${id}\n`.repeat(9)) }) as const;
  let session = await open({ sessionId: 'blocks-1' });
  for (const id of ['one', 'two', 'three']) {
    session.loadSource(load(id));
  }
  await ask(session, { ...INPUT, messages });
  session.control({
    source: 'w',
    class: 'host-workflow',
    text: '<!--DISCARD_BLOCK:one-->\n<!--DISCARD_BLOCK:three-->\n',
  });
  await ask(session, { ...INPUT, messages });
  await session.close();
  session = await open({ sessionId: 'blocks-1', hasHistory: true });
  session.loadSource(load('four'));
  await ask(session, { ...INPUT, messages });
  await session.close();
  const causes = async (a: string, b: string) =>
    partOf((await cli('diff', 'blocks-1', a, b)).stdout, 'prefix').filter(line => /because of|@@/.test(line));
  const discards = await causes('1', '2');
  assert.equal(discards.length, 4);
  assert.match(discards[1] ?? '', /block\/discarded: w discarded block one:/);
  assert.match(discards[3] ?? '', /block\/discarded: w discarded block three:/);
  const resumed = await causes('2', '3');
  assert.equal(resumed.length, 2);
  assert.match(resumed[1] ?? '', /block\/activated: Block four of four\.md is active from request 3 on\./);
});

test('diff shows what changed in config, system and tools, and which event wrote it', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'header-1' });
  const messages = [text('user', 'a')];
  await ask(session, { ...INPUT, messages });
  await ask(session, { messages, config: { model: 'n' }, system: 'Be brief.\nBe wrong.', tools: [] });
  await session.close();
  const { stdout } = await cli('diff', 'header-1', '1', '2');
  assert.deepEqual(
    partOf(stdout, 'config').map(line => line.replace(/#\d+/, '#')),
    [
      'config  13 bytes → 13 bytes',
      '  @@ -1,1 +1,1 @@',
      '  - model: m',
      '  + model: n',
      '    because of # request/header-delta: The header changed (system, tools, config).',
    ],
  );
  assert.ok(partOf(stdout, 'system').includes('  +   Be wrong.'));
  assert.match(partOf(stdout, 'tools')[0] ?? '', /^tools {2}\d+ bytes → nothing$/);
});

test('diff of histories that the host changed: rewritten, taken out, packed differently', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'rewritten' });
  const rest = [text('assistant', 'b'), text('user', 'c')];
  const packed: JsonObject = { role: 'user', content: 'a' };
  await ask(session, { ...INPUT, messages: [text('user', 'a'), ...rest] });
  await ask(session, { ...INPUT, messages: [packed, ...rest] });
  await ask(session, { ...INPUT, messages: [text('user', 'summary'), text('user', 'c')] });
  await session.close();
  const repacked = partOf((await cli('diff', 'rewritten', '1', '2')).stdout, 'messages');
  assert.equal(repacked[0], 'messages  1 changed, 2 the same');
  assert.ok(repacked.includes('  + content: a') && repacked.includes('  -     text: a'));
  assert.match(
    repacked.at(-1) ?? '',
    /because of #\d+ host\/message: A message of the history changed: the agent rewrote it\./,
  );
  const compacted = partOf((await cli('diff', 'rewritten', '2', '3')).stdout, 'messages');
  assert.match(compacted[0] ?? '', /^messages {2}1 changed, 1 gone, 1 the same$/);
  assert.ok(compacted.filter(line => line.includes('because of')).length >= 2);
});

test('diff shows long messages that were added shortly, and whole with --full', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'long-one' });
  const start = [text('user', 'a')];
  await ask(session, { ...INPUT, messages: start });
  const long = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
  await ask(session, { ...INPUT, messages: [...start, call('c'), result('c', long)] });
  const short = (await cli('diff', 'long-one', '1', '2')).stdout;
  assert.match(short, /^ {4}… \d+ more lines; --full shows all$/m);
  assert.doesNotMatch(short, /line 39/);
  const full = (await cli('diff', 'long-one', '1', '2', '--full')).stdout;
  assert.match(full, /^ {2}\+ {11}line 39$/m);
  assert.doesNotMatch(full, /more lines/);
});

test('diff of a log that holds hashes compares hashes and says so', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({
    sessionId: 'hashed-1',
    config: { announce: false, countTokens: false, content: 'hashes' },
  });
  await threeRequests(session);
  const { stdout, stderr, exitCode } = await cli('diff', 'hashed-1', '2', '3');
  assert.match(stderr, /This log holds hashes in place of content, so hashes are compared\./);
  assert.match(stdout, /^ {2}- +sha256: [0-9a-f]{64}$/m);
  assert.match(stdout, /because of #\d+ block\/discarded: /);
  assert.equal(exitCode, 0);
});

test('diff with a request that is not there says which are', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'session-1' });
  await threeRequests(session);
  const { stdout, stderr, exitCode } = await cli('diff', 'session-1', '1', '4');
  assert.equal(stdout, '');
  assert.equal(stderr, 'context-lifecycle: session-: There is no request "4": it has the requests 1 to 3.\n');
  assert.equal(exitCode, 2);
});
