import { isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import type { RequestInput, Sealed } from '../../sessionTypes.ts';
import { fromJson, toJson, toJsonObject } from '../hostJson.ts';
import type { ExpectedPart } from '../payloadReceipt.ts';
import type { CallParams, Model, PromptMessage } from './aiSdkApi.ts';
import { aiSdkFormat } from './aiSdkFormat.ts';

/** A prompt in the parts that a request has. */
export interface SplitPrompt {
  /** The system messages at its start. */
  readonly system: readonly PromptMessage[];
  readonly messages: readonly PromptMessage[];
}

export function splitPrompt(prompt: readonly PromptMessage[]): SplitPrompt {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const length = first < 0 ? prompt.length : first;
  return { system: prompt.slice(0, length), messages: prompt.slice(length) };
}

/** What is sealed of a call. Headers may hold keys, so no log gets them. */
export function requestInput({ system, messages }: SplitPrompt, params: CallParams, model: Model): RequestInput {
  const {
    prompt: _prompt,
    tools,
    abortSignal,
    headers: _headers,
    ...rest
  } = params as CallParams & { headers?: unknown };
  return {
    messages: messages.map(message => toJsonObject(message)),
    ...(system.length === 0 ? {} : { system: systemJson(system) }),
    ...(tools ? { tools: tools.map(tool => toJsonObject(tool)) } : {}),
    config: toJson({ provider: model.provider, model: model.modelId, ...rest }) as JsonObject,
    ...(abortSignal ? { signal: abortSignal } : {}),
  };
}

/** The text of one plain system message, so that its changes can be logged by line; else the messages. */
function systemJson(system: readonly PromptMessage[]): Json {
  const messages = system.map(message => toJsonObject(message));
  const [only] = messages;
  const content = only?.['content'];
  return messages.length === 1 && typeof content === 'string' && !isJsonObject(only?.['providerOptions'])
    ? content
    : messages;
}

/** The prompt of a sealed request: the host's own objects wherever nothing was changed. */
export function sealedPrompt(sealed: Sealed, { system, messages }: SplitPrompt): readonly PromptMessage[] {
  const view = sealed.messages.map((message, index) => {
    const origin = sealed.origins[index];
    const own = origin === undefined ? undefined : messages[origin];
    return own ?? (fromJson(message) as PromptMessage);
  });
  return [...system, ...view];
}

/** What a provider's body must hold; the model's own answers are left out, for providers rewrite them. */
export function expectedParts({ messages }: Sealed): readonly ExpectedPart[] {
  return messages.flatMap((message, index) =>
    aiSdkFormat
      .describe(message)
      .units.filter(unit => unit.class !== 'assistant')
      .map(({ id, source, texts }) => ({
        name: `${source} (message ${index + 1}${id === undefined ? '' : `, ${id}`})`,
        texts,
      })),
  );
}
