import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../../protocol/request/json.ts';
import type { Dialect } from '../session/dialects.ts';

type Items = readonly JsonObject[];

/** The messages of a body. */
export function messagesOf(body: string): Items {
  const { messages, input, contents } = JSON.parse(body) as Readonly<Record<string, Items | undefined>>;
  return messages ?? input ?? contents ?? assert.fail('the body has no messages');
}

/** Fails where the API of a dialect would refuse these messages. */
export function assertWellFormed({ name }: Dialect, messages: Items): void {
  CHECKS[name](messages.filter(({ role }) => role !== 'system'));
}

const partsOf = (message: JsonObject | undefined, member: string): Items => (message?.[member] ?? []) as Items;

const CHECKS: Readonly<Record<Dialect['name'], (messages: Items) => void>> = {
  'anthropic-messages': messages => {
    assert.equal(messages[0]?.['role'], 'user', 'I13');
    for (const [place, message] of messages.entries()) {
      const blocks = partsOf(message, 'content');
      const results = blocks.flatMap(({ tool_use_id }) => tool_use_id ?? []);
      const called = partsOf(messages[place - 1], 'content').flatMap(({ type, id }) =>
        type === 'tool_use' ? [id] : [],
      );
      assert.deepEqual(results, called, `the results of message ${place} are those of the calls before it`);
      assert.ok(message['role'] === 'user' || blocks.length > 0);
    }
    assert.equal(messages.at(-1)?.['role'], 'user');
  },
  'openai-chat': messages => {
    let open: Json[] = [];
    for (const { role, tool_call_id: id = null, tool_calls: calls } of messages) {
      if (role === 'tool') {
        assert.ok(open.includes(id), 'a result behind its call');
        open = open.filter(each => each !== id);
      } else {
        assert.deepEqual(open, [], 'each call has its result before anything else');
        open = ((calls ?? []) as Items).map(({ id: made = null }) => made);
      }
    }
    assert.deepEqual(open, []);
  },
  'openai-responses': items => {
    const made = new Set<Json | undefined>();
    const answered = new Set<Json | undefined>();
    for (const [place, { type = '', call_id: id }] of items.entries()) {
      if (type === 'custom_tool_call') {
        made.add(id);
      } else if (type === 'custom_tool_call_output') {
        assert.ok(made.has(id), 'an output behind its call');
        answered.add(id);
      } else if (type === 'reasoning') {
        const next = items[place + 1];
        const isSaid =
          next?.['role'] === 'assistant' || (typeof next?.['type'] === 'string' && next['type'].endsWith('_call'));
        assert.ok(isSaid, 'what was thought stands before what was said');
      }
    }
    assert.deepEqual(answered, made, 'each call has its output');
  },
  gemini: contents => {
    assert.equal(contents[0]?.['role'], 'user', 'I13');
    for (const [place, content] of contents.entries()) {
      const before = contents[place - 1];
      const calls = partsOf(content, 'parts').filter(part => part['functionCall'] !== undefined);
      const called = partsOf(before, 'parts').filter(part => part['functionCall'] !== undefined).length;
      // Gemini CLI gives each response twice when it goes on with a session.
      const answered = new Set(
        partsOf(content, 'parts').flatMap(
          ({ functionResponse }) => (functionResponse as JsonObject | undefined)?.['id'] ?? [],
        ),
      ).size;
      assert.equal(answered, called, `the responses of content ${place} are those of the calls before it`);
      if (calls.length > 0) {
        assert.equal(before?.['role'], 'user', 'a call comes behind a user or a response');
      }
    }
  },
};
