import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opencodeFormat } from '../../../adapter/agents/opencode/opencodeFormat.ts';
import { seenMessage } from '../../../adapter/agents/opencode/seenMessage.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { budgetSession, CONFIG, words } from '../budget/budgetLayerKit.ts';
import { answer, prompt, toolPart } from './opencodeKit.ts';

test('answers that hold their calls with the results are compressed as others are (T-15)', async t => {
  const checked = await budgetSession(t, {}, { format: opencodeFormat });
  const messages: JsonObject[] = [];
  for (let turn = 0; turn < 30; turn++) {
    messages.push(seenMessage(prompt(`u${turn}`, `Part ${turn}.`)));
    await checked.turn(messages, { config: CONFIG });
    messages.push(seenMessage(answer(`a${turn}`, [toolPart(`c${turn}`, 'bash', words(30, `r${turn}-`))])));
    await checked.turn(messages, { config: CONFIG });
    messages.push(seenMessage(answer(`b${turn}`, [{ type: 'text', text: 'Done.' }], 'stop')));
  }
  assert.ok(checked.session.state.budget.compressions > 0);
  const shown = JSON.stringify(checked.sealed.at(-1)?.messages);
  assert.doesNotMatch(shown, /r0-29/, 'the oldest result has left');
  assert.match(shown, /r29-29/);
});
