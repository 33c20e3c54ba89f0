import fc from 'fast-check';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import type { Dialect } from '../session/dialects.ts';

/** What is said in one go: by a person, or by a model that may think, speak and call, with the results of its calls. */
export type Said =
  | { readonly user: string }
  | { readonly says: string; readonly thinks?: string; readonly results: readonly string[] };

/** Which go it is: its calls have ids by it. */
type Placed = Said & { readonly at: number };

/** The messages of a conversation as an agent of this API sends them. */
export function messagesIn(dialect: Dialect, said: readonly Said[]): readonly JsonObject[] {
  return said.flatMap((one, at) => IN[dialect.name]({ ...one, at }));
}

const callId = (at: number, index: number): string => `call_${at}_${index}`;

const IN: Readonly<Record<Dialect['name'], (said: Placed) => readonly JsonObject[]>> = {
  'anthropic-messages': one => {
    if ('user' in one) {
      return [{ role: 'user', content: [{ type: 'text', text: one.user, cache_control: { type: 'ephemeral' } }] }];
    }
    const { at, says, thinks, results } = one;
    const answer = [
      ...(thinks === undefined ? [] : [{ type: 'thinking', thinking: thinks, signature: `s${at}` }]),
      { type: 'text', text: says },
      ...results.map((_, index) => ({ type: 'tool_use', id: callId(at, index), name: 'bash', input: {} })),
    ];
    const content = results.map((text, index) => ({
      type: 'tool_result',
      tool_use_id: callId(at, index),
      content: text,
    }));
    return [{ role: 'assistant', content: answer }, ...(content.length > 0 ? [{ role: 'user', content }] : [])];
  },
  'openai-chat': one => {
    if ('user' in one) {
      return [{ role: 'user', content: one.user }];
    }
    const { at, says, thinks, results } = one;
    const calls = results.map((_, index) => ({
      id: callId(at, index),
      type: 'function',
      function: { name: 'bash', arguments: '{}' },
    }));
    return [
      {
        role: 'assistant',
        content: says,
        ...(thinks !== undefined && { reasoning_content: thinks }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
      ...results.map((content, index) => ({ role: 'tool', tool_call_id: callId(at, index), content })),
    ];
  },
  'openai-responses': one => {
    if ('user' in one) {
      return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: one.user }] }];
    }
    const { at, says, thinks, results } = one;
    return [
      ...(thinks === undefined ? [] : [{ type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: thinks }]),
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: says }] },
      ...results.map((_, index) => ({
        type: 'custom_tool_call',
        call_id: callId(at, index),
        name: 'exec',
        input: 'run()',
      })),
      // Codex's programs give notices while they run.
      ...results.flatMap((output, index) => [
        { type: 'custom_tool_call_output', call_id: callId(at, index), output: `notice ${at}` },
        { type: 'custom_tool_call_output', call_id: callId(at, index), output },
      ]),
    ];
  },
  gemini: one => {
    if ('user' in one) {
      return [{ role: 'user', parts: [{ text: one.user }] }];
    }
    const { at, says, thinks, results } = one;
    const signed = thinks === undefined ? {} : { thoughtSignature: `s${at}` };
    const parts = [
      ...(thinks === undefined ? [] : [{ text: thinks, thought: true }]),
      { text: says },
      ...results.map(() => ({ functionCall: { name: 'bash', args: {} }, ...signed })),
    ];
    const responses = results.map((output, index) => ({
      functionResponse: { id: callId(at, index), name: 'bash', response: { output } },
    }));
    return [{ role: 'model', parts }, ...(responses.length > 0 ? [{ role: 'user', parts: responses }] : [])];
  },
};

/** A rule among other words, which a summary must keep to the letter. */
export const RULE = 'You must never touch the file of rule number';

const words = fc.integer({ min: 5, max: 25 });

/** Each text is another one: an identity is by text where a host has no ids. */
const text = (count: number, name: string): string =>
  Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');

/** A long conversation: a person says something now and then, and the model works. */
export const conversation: fc.Arbitrary<readonly Said[]> = fc
  .array(
    fc.record({
      asks: fc.nat(4),
      rules: fc.nat(6),
      asked: words,
      says: words,
      thinks: fc.option(words),
      results: fc.array(words, { maxLength: 3 }),
    }),
    { minLength: 45, maxLength: 60 },
  )
  .map(steps =>
    steps.flatMap(({ asks, rules, asked, says, thinks, results }, at): readonly Said[] => [
      // A model that calls nothing waits for a person.
      ...(asks === 0 || (steps[at - 1]?.results.length ?? 0) === 0
        ? [{ user: `${text(asked, `u${at}x`)}.${rules === 0 ? ` ${RULE} ${at}.` : ''}` }]
        : []),
      {
        says: text(says, `a${at}x`),
        ...(thinks !== null && { thinks: text(thinks, `t${at}x`) }),
        results: results.map((count, index) => text(count, `r${at}x${index}y`)),
      },
    ]),
  );
