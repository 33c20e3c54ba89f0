import { event, halves, type ModelApi, type SpokenAnswer, usageOf, type Voice } from './answer.ts';

/** A block of an answer, and the pieces in which it is streamed. */
interface Block {
  readonly whole: object;
  readonly start: object;
  readonly deltas: readonly object[];
}

/** Anthropic's Messages API. */
export const anthropicMessages: ModelApi = {
  serves: path => path.endsWith('/v1/messages'),
  isStreamed: (_path, { stream = false }) => stream,
  whole: (answer, voice) =>
    JSON.stringify({
      ...envelope(voice),
      content: blocksOf(answer).map(({ whole }) => whole),
      stop_reason: stopReason(answer),
      stop_sequence: null,
      usage: { ...inputNumbers(answer), output_tokens: usageOf(answer).output },
    }),
  pieces(answer, voice) {
    const usage = { ...inputNumbers(answer), output_tokens: 1 };
    return [
      named({
        type: 'message_start',
        message: { ...envelope(voice), content: [], stop_reason: null, stop_sequence: null, usage },
      }),
      named({ type: 'ping' }),
      ...blocksOf(answer).flatMap(({ start, deltas }, index) => [
        named({ type: 'content_block_start', index, content_block: start }),
        ...deltas.map(delta => named({ type: 'content_block_delta', index, delta })),
        named({ type: 'content_block_stop', index }),
      ]),
      named({
        type: 'message_delta',
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: { output_tokens: usageOf(answer).output },
      }),
      named({ type: 'message_stop' }),
    ];
  },
  error: (status, message) => ({
    type: 'error',
    error: { type: status >= 500 ? 'api_error' : 'invalid_request_error', message },
  }),
};

function named(data: { readonly type: string; readonly [member: string]: unknown }): string {
  return event(data, data.type);
}

function envelope({ model, number }: Voice): object {
  return { id: `msg_scripted_${number}`, type: 'message', role: 'assistant', model };
}

function blocksOf({ thinking, text, toolCalls = [] }: SpokenAnswer): readonly Block[] {
  const blocks: Block[] = [];
  if (thinking !== undefined) {
    const signature = Buffer.from(thinking).toString('base64');
    blocks.push({
      whole: { type: 'thinking', thinking, signature },
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ],
    });
  }
  if (text !== undefined) {
    blocks.push({
      whole: { type: 'text', text },
      start: { type: 'text', text: '' },
      deltas: halves(text).map(half => ({ type: 'text_delta', text: half })),
    });
  }
  for (const { id, name, arguments: input } of toolCalls) {
    blocks.push({
      whole: { type: 'tool_use', id, name, input },
      start: { type: 'tool_use', id, name, input: {} },
      deltas: halves(JSON.stringify(input)).map(half => ({ type: 'input_json_delta', partial_json: half })),
    });
  }
  return blocks;
}

function stopReason({ toolCalls = [] }: SpokenAnswer): string {
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn';
}

/** This API counts what was cached apart from the rest of the input. */
function inputNumbers(answer: SpokenAnswer): object {
  const { input, cacheRead, cacheWrite } = usageOf(answer);
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  };
}
