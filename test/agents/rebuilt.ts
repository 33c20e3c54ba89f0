import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { MessageFormat } from '../../protocol/lifecycle/messageFormat.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { RequestHistory } from '../../protocol/request/requestHistory.ts';
import type { SentBody } from './sentBody.ts';
import { dataOf, type LogOnDisk } from './sessionLogs.ts';

/**
 * Checks that the log alone gives each sealed request, and that what it gives is what the model was sent: the same texts of
 * users and tools in the same order. (The model's own answers and the framing are the provider's.)
 */
export function assertRebuilt(log: LogOnDisk, format: MessageFormat, sent: readonly SentBody[]): void {
  const history = new RequestHistory();
  for (const event of log.events) {
    history.append(event);
  }
  const sealed = dataOf(log, 'request/sealed');
  assert.equal(sealed.length, sent.length, 'each request that was sent is in the log');
  for (const [index, { hash }] of sealed.entries()) {
    const text = history.sealedText(index + 1) ?? '';
    assert.equal(createHash('sha256').update(text).digest('hex'), hash, `request ${index + 1}`);
    const { messages } = JSON.parse(text) as { readonly messages: readonly JsonObject[] };
    assert.deepEqual(
      messages.flatMap(message => textsOf(message, format)),
      (sent[index]?.messages ?? []).filter(message => !message.startsWith('assistant: ')).map(withoutRole),
      `request ${index + 1}`,
    );
  }
}

function textsOf(message: JsonObject, format: MessageFormat): readonly string[] {
  return format
    .describe(message)
    .units.filter(unit => unit.class !== 'assistant')
    .map(unit => unit.texts.join(''));
}

function withoutRole(message: string): string {
  return message.slice(message.indexOf(': ') + 2);
}
