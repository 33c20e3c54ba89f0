import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readLog } from '../../local/logFile.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { foldOf, homeOf } from '../adapter/session/sessionKit.ts';
import { definition } from '../protocol/lifecycle/lifecycleKit.ts';
import { fencesOf, readPage, root } from './pages.ts';

interface Program {
  converse(
    texts: readonly string[],
    instructions: string,
    callModel: (body: JsonObject) => Promise<{ readonly text: string; readonly usage: { readonly input: number } }>,
  ): Promise<void>;
}

test('the program on the page about adapters runs: it obeys a block, and its log has each request and answer', async t => {
  const home = homeOf(t);
  const before = process.env['CONTEXT_LIFECYCLE_HOME'];
  process.env['CONTEXT_LIFECYCLE_HOME'] = home;
  t.after(() => {
    if (before === undefined) {
      delete process.env['CONTEXT_LIFECYCLE_HOME'];
    } else {
      process.env['CONTEXT_LIFECYCLE_HOME'] = before;
    }
  });
  const [program = assert.fail()] = fencesOf(readPage('docs/write-an-adapter.md'), 'js');
  const file = join(home, 'program.mjs');
  const adapter = pathToFileURL(join(root, 'adapter/index.ts')).href;
  writeFileSync(file, program.replace('context-lifecycle/adapter', adapter));
  const { converse } = (await import(pathToFileURL(file).href)) as Program;
  const bodies: JsonObject[] = [];
  await converse(['one', 'two', 'three'], definition('rules'), async body => {
    bodies.push(body);
    if (bodies.length === 2) {
      throw new Error('rate limit reached');
    }
    return { text: `answer ${bodies.length}`, usage: { input: 20 } };
  });
  assert.ok(bodies.every(body => JSON.stringify(body['messages']).includes('<!--BLOCK_ID:rules-->')));
  const [log = assert.fail()] = readdirSync(join(home, 'sessions')).filter(name => name.endsWith('.jsonl'));
  const { events, fault } = await readLog(join(home, 'sessions', log));
  assert.equal(fault, undefined);
  const requests = foldOf(events).requests.toArray();
  assert.deepEqual(
    requests.map(({ ended, receipt }) => [ended?.outcome, receipt?.result]),
    [
      ['completed', 'matched'],
      ['failed', undefined],
      ['completed', 'matched'],
    ],
  );
});
