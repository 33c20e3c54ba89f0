import { createOpenAICompatible as compatible6 } from '@ai-sdk/openai-compatible-6';
import { createOpenAICompatible as compatible7 } from '@ai-sdk/openai-compatible-7';
import * as ai6 from 'ai-6';
import * as ai7 from 'ai-7';
import { z } from 'zod';
import {
  type ContextLifecycleMiddleware,
  type ContextLifecycleOptions,
  contextLifecycle,
} from '../../../adapter/agents/aiSdk/main.ts';
import type { SummaryModel } from '../../../adapter/budget/summarizers/aiSdkSummaries.ts';

/** An agent made of one version of the AI SDK. */
export interface Agent {
  /** Runs a prompt with tools until the model answers in words; gives the words. */
  generate(prompt: string): Promise<string>;
  stream(prompt: string): Promise<string>;
  /** The messages so far, as the program keeps them. */
  readonly transcript: readonly unknown[];
  readonly lifecycle: ContextLifecycleMiddleware<string>;
}

export interface AgentOptions {
  readonly baseUrl: string;
  readonly system?: string;
  /** What the tool `cat` gives for a path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly lifecycle: Omit<ContextLifecycleOptions, 'specificationVersion'>;
}

export interface AiSdkVersion {
  readonly version: string;
  make(options: AgentOptions): Agent;
  /** A model that nothing wraps. */
  model(baseUrl: string): SummaryModel;
}

export const aiSdkVersions: readonly AiSdkVersion[] = [
  { version: '7.0.173', make: makeAgent7, model: baseUrl => compatible7(provider(baseUrl))('fake-1') },
  { version: '6.0.326', make: makeAgent6, model: baseUrl => compatible6(provider(baseUrl))('fake-1') },
];

const catInput = z.object({ path: z.string() });
const provider = (baseURL: string) => ({ name: 'fake', baseURL, apiKey: 'dummy', includeUsage: true });

function makeAgent7({ baseUrl, system, files = {}, lifecycle: options }: AgentOptions): Agent {
  const lifecycle = contextLifecycle(options);
  const model = ai7.wrapLanguageModel({ model: compatible7(provider(baseUrl))('fake-1'), middleware: lifecycle });
  const cat = ai7.tool({ description: 'cat', inputSchema: catInput, execute: ({ path }) => files[path] ?? '' });
  const transcript: ai7.ModelMessage[] = [];
  const call = () => ({
    model,
    messages: transcript,
    tools: { cat },
    stopWhen: ai7.stepCountIs(10),
    maxRetries: 1,
    ...(system === undefined ? {} : { system }),
  });
  return {
    transcript,
    lifecycle,
    generate: async prompt => {
      transcript.push({ role: 'user', content: prompt });
      const result = await ai7.generateText(call());
      transcript.push(...result.responseMessages);
      return result.text;
    },
    stream: async prompt => {
      transcript.push({ role: 'user', content: prompt });
      const result = ai7.streamText({ ...call(), onError: () => undefined });
      const text = await result.text;
      transcript.push(...(await result.responseMessages));
      return text;
    },
  };
}

function makeAgent6({ baseUrl, system, files = {}, lifecycle: options }: AgentOptions): Agent {
  const lifecycle = contextLifecycle({ ...options, specificationVersion: 'v3' });
  const model = ai6.wrapLanguageModel({ model: compatible6(provider(baseUrl))('fake-1'), middleware: lifecycle });
  const cat = ai6.tool({ description: 'cat', inputSchema: catInput, execute: ({ path }) => files[path] ?? '' });
  const transcript: ai6.ModelMessage[] = [];
  const call = () => ({
    model,
    messages: transcript,
    tools: { cat },
    stopWhen: ai6.stepCountIs(10),
    maxRetries: 1,
    ...(system === undefined ? {} : { system }),
  });
  return {
    transcript,
    lifecycle,
    generate: async prompt => {
      transcript.push({ role: 'user', content: prompt });
      const result = await ai6.generateText(call());
      transcript.push(...result.response.messages);
      return result.text;
    },
    stream: async prompt => {
      transcript.push({ role: 'user', content: prompt });
      const result = ai6.streamText({ ...call(), onError: () => undefined });
      const text = await result.text;
      transcript.push(...(await result.response).messages);
      return text;
    },
  };
}
