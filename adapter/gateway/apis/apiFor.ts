import { anthropicMessages } from './anthropicMessages.ts';
import type { GatewayApi, Provider } from './gatewayApi.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openaiChat.ts';
import { openaiResponses } from './openaiResponses.ts';

const APIS: readonly GatewayApi[] = [anthropicMessages, openaiResponses, openaiChat, gemini];

/** The API by which a POST to this path asks a provider's model for an answer; absent for every other path. */
export function apiFor(provider: Provider, path: string): GatewayApi | undefined {
  return APIS.find(api => api.provider === provider && api.serves(path));
}
