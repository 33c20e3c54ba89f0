import { event, halves, type ModelApi, type ScriptedCall, type SpokenAnswer, usageOf, type Voice } from './answer.ts';

/** An item of an answer's output, and the events with which it is streamed between its start and its end. */
interface Item {
  readonly whole: { readonly id: string; readonly [member: string]: unknown };
  readonly start: object;
  readonly between: readonly { readonly type: string; readonly [member: string]: unknown }[];
}

/** OpenAI's Responses API. */
export const responses: ModelApi = {
  serves: path => path.endsWith('/responses'),
  isStreamed: (_path, { stream = false }) => stream,
  whole: (answer, voice) => JSON.stringify(responseOf(answer, voice)),
  pieces(answer, voice) {
    const begun = { ...envelope(voice), status: 'in_progress', output: [], usage: null };
    const events = [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...itemsOf(answer, voice).flatMap(({ whole, start, between }, index) => [
        { type: 'response.output_item.added', output_index: index, item: start },
        ...between.map(({ type, ...rest }) => ({ type, item_id: whole.id, output_index: index, ...rest })),
        { type: 'response.output_item.done', output_index: index, item: whole },
      ]),
      { type: 'response.completed', response: responseOf(answer, voice) },
    ];
    return events.map(({ type, ...rest }, number) => event({ type, sequence_number: number, ...rest }, type));
  },
  error: (_status, message) => ({ error: { message, type: 'scripted', param: null, code: null } }),
};

function envelope({ model, number }: Voice): object {
  return { id: `resp_scripted_${number}`, object: 'response', created_at: 1_700_000_000, model, error: null };
}

function responseOf(answer: SpokenAnswer, voice: Voice): object {
  const { input, output, cacheRead } = usageOf(answer);
  return {
    ...envelope(voice),
    status: 'completed',
    incomplete_details: null,
    output: itemsOf(answer, voice).map(({ whole }) => whole),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function itemsOf({ thinking, text, toolCalls = [] }: SpokenAnswer, { number }: Voice): readonly Item[] {
  const items: Item[] = [];
  if (thinking !== undefined) {
    const reasoning = { id: `rs_scripted_${number}`, type: 'reasoning', summary: [] };
    const secret = Buffer.from(thinking).toString('base64');
    items.push({ whole: { ...reasoning, encrypted_content: secret }, start: reasoning, between: [] });
  }
  if (text !== undefined) {
    items.push(messageItem(text, number));
  }
  for (const call of toolCalls) {
    items.push(call.input === undefined ? functionItem(call) : customItem(call, call.input));
  }
  return items;
}

function functionItem({ id, name, namespace, arguments: input }: ScriptedCall): Item {
  const call = {
    id: `fc_${id}`,
    type: 'function_call',
    call_id: id,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  };
  const written = JSON.stringify(input);
  return {
    whole: { ...call, arguments: written, status: 'completed' },
    start: { ...call, arguments: '', status: 'in_progress' },
    between: [
      ...halves(written).map(delta => ({ type: 'response.function_call_arguments.delta', delta })),
      { type: 'response.function_call_arguments.done', arguments: written },
    ],
  };
}

/** A call of a tool that takes a text of its own language. */
function customItem({ id, name }: ScriptedCall, input: string): Item {
  const call = { id: `ctc_${id}`, type: 'custom_tool_call', call_id: id, name };
  return {
    whole: { ...call, input, status: 'completed' },
    start: { ...call, input: '', status: 'in_progress' },
    between: [
      ...halves(input).map(delta => ({ type: 'response.custom_tool_call_input.delta', delta })),
      { type: 'response.custom_tool_call_input.done', input },
    ],
  };
}

function messageItem(text: string, number: number): Item {
  const message = { id: `msg_scripted_${number}`, type: 'message', role: 'assistant' };
  const part = { type: 'output_text', text, annotations: [] };
  return {
    whole: { ...message, status: 'completed', content: [part] },
    start: { ...message, status: 'in_progress', content: [] },
    between: [
      { type: 'response.content_part.added', content_index: 0, part: { ...part, text: '' } },
      ...halves(text).map(delta => ({ type: 'response.output_text.delta', content_index: 0, delta })),
      { type: 'response.output_text.done', content_index: 0, text },
      { type: 'response.content_part.done', content_index: 0, part },
    ],
  };
}
