import { anthropicMessages } from './anthropicMessages.ts';
import type { GatewayApi, Provider } from './gatewayApi.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openaiChat.ts';
import { openaiCompaction, openaiResponses } from './openaiResponses.ts';

const APIS: readonly GatewayApi[] = [anthropicMessages, openaiResponses, openaiCompaction, openaiChat, gemini];

/**
 * The API by which a POST to this path asks a provider's model for an answer; absent for every other path. What stands before its
 * last words is the upstream's, and so is the way in which those are written: none of it makes a request one that goes by unseen.
 */
export function apiFor(provider: Provider, path: string): GatewayApi | undefined {
  const plain = decodeURIComponent(path)
    .replace(/;[^/]*/g, '')
    .replace(/\/+$/, '')
    .toLowerCase();
  return APIS.find(api => api.provider === provider && api.serves(plain));
}
