import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aiSdkSummaries } from '../../../adapter/budget/summarizers/aiSdkSummaries.ts';
import { SUMMARY_TASK } from '../../../adapter/budget/summarizers/summaryTask.ts';
import { partOf, recordOf } from '../../adapter/budget/summarizers/summarizerKit.ts';
import { startScriptedModel } from '../../scriptedModel/server.ts';
import { aiSdkVersions } from './versions.ts';

for (const { version, model } of aiSdkVersions) {
  test(`AI SDK ${version}: a model gives summaries, and a status instead of one is told`, async t => {
    const server = await startScriptedModel([
      { text: JSON.stringify({ summaries: [recordOf('tabs')] }) },
      { status: 503 },
    ]);
    t.after(() => server.close());
    const maker = aiSdkSummaries({ model: model(server.baseUrl) });
    const parts = [partOf({ unit: 'u1', text: 'You must use tabs.' })];
    assert.deepEqual(await maker.make(parts, undefined), {
      by: 'fake.chat/fake-1',
      summaries: [{ units: ['u1'], value: recordOf('tabs') }],
    });
    const body = JSON.parse(server.requests[0]?.body ?? '') as {
      readonly response_format: object;
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    };
    assert.deepEqual(body.response_format, { type: 'json_object' });
    assert.deepEqual(
      body.messages.map(({ role }) => role),
      ['system', 'user'],
    );
    assert.equal(body.messages[0]?.content, SUMMARY_TASK);
    assert.match(body.messages[1]?.content ?? '', /You must use tabs\./);
    assert.deepEqual(await maker.make(parts, undefined), {
      by: 'fake.chat/fake-1',
      failed: 'its API gave the status 503',
    });
  });
}
