import { event, halves, type ModelApi, type ScriptedCall, type SpokenAnswer, usageOf, type Voice } from './answer.ts';

/** OpenAI's chat completions. */
export const chatCompletions: ModelApi = {
  serves: path => path.endsWith('/chat/completions'),
  isStreamed: (_path, { stream = false }) => stream,
  whole(answer, voice) {
    const message = {
      role: 'assistant',
      content: answer.text ?? null,
      ...(answer.toolCalls ? { tool_calls: answer.toolCalls.map(toolCall) } : {}),
    };
    return JSON.stringify({
      ...envelope(voice, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
      usage: numbers(answer),
    });
  },
  pieces(answer, voice) {
    const chunk = (choices: readonly unknown[], rest: object = {}): string =>
      event({ ...envelope(voice, 'chat.completion.chunk'), choices, ...rest });
    const delta = (value: object): string => chunk([{ index: 0, delta: value, finish_reason: null }]);
    return [
      delta({ role: 'assistant', content: '' }),
      ...halves(answer.text ?? '').map(content => delta({ content })),
      ...(answer.toolCalls ?? []).map((call, index) => delta({ tool_calls: [{ index, ...toolCall(call) }] })),
      chunk([{ index: 0, delta: {}, finish_reason: finishReason(answer) }]),
      chunk([], { usage: numbers(answer) }),
      'data: [DONE]\n\n',
    ];
  },
  error: (_status, message) => ({ error: { message, type: 'scripted' } }),
};

function envelope({ model, number }: Voice, object: string): object {
  return { id: `chatcmpl-scripted-${number}`, object, created: 1_700_000_000, model };
}

function toolCall(call: ScriptedCall): object {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments) } };
}

function finishReason(answer: SpokenAnswer): string {
  return answer.toolCalls?.length ? 'tool_calls' : 'stop';
}

function numbers(answer: SpokenAnswer): object {
  const { input, output, cacheRead } = usageOf(answer);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
}
