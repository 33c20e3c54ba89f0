import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { inRepository } from '../../../scripts/build/paths.ts';
import { startScriptedModel } from '../../scriptedModel/server.ts';
import { sentBody } from '../sentBody.ts';

/** What a person would have installed. */
const packages = {
  ai: 'test/agents/node_modules/ai-7',
  '@ai-sdk/openai-compatible': 'test/agents/node_modules/@ai-sdk/openai-compatible-7',
  zod: 'test/agents/node_modules/zod',
  'context-lifecycle': '.',
};

test('the example of the page on agents runs as it stands there', async context => {
  const model = await startScriptedModel([
    { toolCalls: [{ id: 'call_1', name: 'readLog', arguments: {} }] },
    { text: 'A test fails.' },
    { text: 'Mended.' },
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'docs-example-'));
  context.after(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [name, path] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(inRepository(path), link, 'junction');
  }
  const [, example = ''] = /^```js\n([^]*?)^```$/m.exec(readFileSync(inRepository('docs/agents.md'), 'utf8')) ?? [];
  assert.ok(example.split('\n').length <= 24, 'twenty lines and a blank one now and then');
  writeFileSync(join(folder, 'example.mjs'), example);
  writeFileSync(join(folder, 'AGENTS.md'), '<!--BLOCK_ID:planning-->\nPlan first.\n<!--/BLOCK_ID:planning-->\n');

  const env = { ...process.env, BASE_URL: model.baseUrl, CONTEXT_LIFECYCLE_HOME: join(folder, 'lifecycle') };
  const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: folder, env });
  assert.equal(stdout.trim(), 'Mended.');
  const sent = model.requests.map(sentBody);
  assert.match(sent[1]?.messages[0] ?? '', /Plan first\./);
  assert.equal(sent[1]?.messages.at(-1), 'tool: <!--ephemeral-->\n3,000 lines of log');
  assert.deepEqual(sent[2]?.messages, ['user: Mend it: A test fails.']);
});
