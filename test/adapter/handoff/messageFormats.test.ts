import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aiSdkFormat } from '../../../adapter/agents/aiSdk/aiSdkFormat.ts';
import { opencodeFormat } from '../../../adapter/agents/opencode/opencodeFormat.ts';
import { piFormat } from '../../../adapter/agents/pi/piFormat.ts';
import { anthropicMessages } from '../../../adapter/gateway/apis/anthropicMessages.ts';
import { gemini } from '../../../adapter/gateway/apis/gemini.ts';
import { openaiChat } from '../../../adapter/gateway/apis/openaiChat.ts';
import { openaiCompaction, openaiResponses } from '../../../adapter/gateway/apis/openaiResponses.ts';
import { messageFormat } from '../../../adapter/handoff/messageFormats.ts';
import { seedTwoFormat } from '../../../protocol/lifecycle/seedTwoFormat.ts';

test('the form of every agent and of every API is found by the name that their logs have', () => {
  const apis = [anthropicMessages, openaiResponses, openaiCompaction, openaiChat, gemini].map(({ format }) => format);
  for (const format of [seedTwoFormat, aiSdkFormat, opencodeFormat, piFormat, ...apis]) {
    assert.equal(messageFormat(format.name), format, format.name);
  }
  assert.equal(messageFormat('of somebody else'), undefined);
});
