import type { RecordedRequest } from '../scriptedModel/server.ts';

/** A chat completions body as the scripted model got it. */
export interface SentBody {
  /** Contents of the system prompt. */
  readonly system: string;
  /** Each other message as `role: text`. */
  readonly messages: readonly string[];
}

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly text?: string }[];
}

export function sentBody({ body }: RecordedRequest): SentBody {
  const { messages } = JSON.parse(body) as { readonly messages: readonly ChatMessage[] };
  const isSystem = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';
  return {
    system: messages.filter(isSystem).map(textOf).join('\n'),
    messages: messages.filter(message => !isSystem(message)).map(message => `${message.role}: ${textOf(message)}`),
  };
}

function textOf({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('');
}
