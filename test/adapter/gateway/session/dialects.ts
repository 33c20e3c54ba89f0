import type { Provider } from '../../../../adapter/gateway/apis/gatewayApi.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';

/** One thing that is said in a conversation, whatever the API. */
export type Said =
  | { readonly user: string }
  | { readonly says: string }
  | { readonly calls: string; readonly name?: string }
  | { readonly result: string; readonly text: string };

/** How an agent speaks one of the four APIs. */
export interface Dialect {
  readonly name: 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'gemini';
  readonly agent: string;
  readonly provider: Provider;
  readonly path: string;
  /** By which the gateway knows the agent and its session. */
  headers(session: string): Readonly<Record<string, string>>;
  body(said: readonly Said[], more?: JsonObject): JsonObject;
  /** The text that the model is given for a tool's result; undefined where the body has none of it. */
  resultIn(body: string, id: string): string | undefined;
}

const TOOL = { name: 'bash', description: 'runs a command' };
const SCHEMA = { type: 'object', properties: {} };

const anthropic: Dialect = {
  name: 'anthropic-messages',
  agent: 'claude-code',
  provider: 'anthropic',
  path: '/v1/messages?beta=true',
  headers: session => ({ 'user-agent': 'claude-cli/2.1.332 (external, cli)', 'x-claude-code-session-id': session }),
  body: (said, more) => ({
    model: 'claude-sonnet-4-5',
    system: [{ type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } }],
    messages: said.map(one => {
      if ('user' in one) {
        return { role: 'user', content: [{ type: 'text', text: one.user }] };
      }
      if ('says' in one) {
        return { role: 'assistant', content: [{ type: 'text', text: one.says }] };
      }
      if ('calls' in one) {
        return {
          role: 'assistant',
          content: [{ type: 'tool_use', id: one.calls, name: one.name ?? 'bash', input: {} }],
        };
      }
      const result = { tool_use_id: one.result, type: 'tool_result', content: one.text, is_error: false };
      return { role: 'user', content: [{ ...result, cache_control: { type: 'ephemeral' } }] };
    }),
    tools: [{ ...TOOL, input_schema: SCHEMA }],
    max_tokens: 1000,
    stream: true,
    ...more,
  }),
  resultIn: (body, id) => {
    const { messages } = JSON.parse(body) as { messages: { content: { tool_use_id?: string; content?: string }[] }[] };
    return messages.flatMap(({ content }) => content).find(block => block.tool_use_id === id)?.content;
  },
};

const responses: Dialect = {
  name: 'openai-responses',
  agent: 'codex',
  provider: 'openai',
  path: '/v1/responses',
  headers: session => ({
    'user-agent': 'codex_exec/0.171.0',
    originator: 'codex_exec',
    'session-id': session,
    'thread-id': session,
  }),
  body: (said, more) => ({
    model: 'gpt-5',
    instructions: 'You are an agent.',
    input: said.map(one => {
      if ('user' in one) {
        return { type: 'message', role: 'user', content: [{ type: 'input_text', text: one.user }] };
      }
      if ('says' in one) {
        return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: one.says }] };
      }
      if ('calls' in one) {
        return { type: 'function_call', call_id: one.calls, name: one.name ?? 'bash', arguments: '{}' };
      }
      return { type: 'function_call_output', call_id: one.result, output: one.text };
    }),
    tools: [{ type: 'function', ...TOOL, parameters: SCHEMA }],
    store: false,
    stream: true,
    ...more,
  }),
  resultIn: (body, id) => {
    const { input } = JSON.parse(body) as { input: { call_id?: string; output?: string }[] };
    return input.find(item => item.call_id === id && item.output !== undefined)?.output;
  },
};

const chat: Dialect = {
  name: 'openai-chat',
  agent: 'opencode',
  provider: 'openai',
  path: '/v1/chat/completions',
  headers: session => ({ 'user-agent': 'opencode/1.18.33', 'x-session-id': session, 'x-session-affinity': session }),
  body: (said, more) => ({
    model: 'm',
    messages: [
      { role: 'system', content: 'You are an agent.' },
      ...said.map(one => {
        if ('user' in one) {
          return { role: 'user', content: one.user };
        }
        if ('says' in one) {
          return { role: 'assistant', content: one.says };
        }
        if ('calls' in one) {
          const call = { id: one.calls, type: 'function', function: { name: one.name ?? 'bash', arguments: '{}' } };
          return { role: 'assistant', content: null, tool_calls: [call] };
        }
        return { role: 'tool', tool_call_id: one.result, content: one.text };
      }),
    ],
    tools: [{ type: 'function', function: { ...TOOL, parameters: SCHEMA } }],
    stream: true,
    ...more,
  }),
  resultIn: (body, id) => {
    const { messages } = JSON.parse(body) as { messages: { tool_call_id?: string; content?: string }[] };
    return messages.find(message => message.tool_call_id === id)?.content;
  },
};

const gemini: Dialect = {
  name: 'gemini',
  agent: 'gemini-cli',
  provider: 'gemini',
  path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  // it sends no session: the path names one
  headers: () => ({ 'user-agent': 'GeminiCLI/0.61.0/gemini-2.5-flash (linux; x64)' }),
  body: (said, more) => ({
    systemInstruction: { role: 'user', parts: [{ text: 'You are an agent.' }] },
    contents: said.map(one => {
      if ('user' in one) {
        return { role: 'user', parts: [{ text: one.user }] };
      }
      if ('says' in one) {
        return { role: 'model', parts: [{ text: one.says }] };
      }
      if ('calls' in one) {
        return { role: 'model', parts: [{ functionCall: { id: one.calls, name: one.name ?? 'bash', args: {} } }] };
      }
      return {
        role: 'user',
        parts: [{ functionResponse: { id: one.result, name: 'bash', response: { output: one.text } } }],
      };
    }),
    tools: [{ functionDeclarations: [{ ...TOOL, parameters: SCHEMA }] }],
    generationConfig: { temperature: 1.0 },
    ...more,
  }),
  resultIn: (body, id) => {
    const { contents } = JSON.parse(body) as {
      contents: { parts: { functionResponse?: { id: string; response: { output: string } } }[] }[];
    };
    return contents.flatMap(({ parts }) => parts).find(part => part.functionResponse?.id === id)?.functionResponse
      ?.response.output;
  },
};

export const DIALECTS: readonly Dialect[] = [anthropic, responses, chat, gemini];

export { anthropic as ANTHROPIC, chat as CHAT, gemini as GEMINI, responses as RESPONSES };
