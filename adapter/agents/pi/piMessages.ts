import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import { isJsonArray, isJsonObject } from '../../../protocol/request/json.ts';

/** A member of a message that is text; absent where it is not. */
export function textMember(message: JsonObject, name: string): string | undefined {
  const value = message[name];
  return typeof value === 'string' ? value : undefined;
}

/** Text parts of a message's content, in order; a text that is the whole content is the only one. */
export function contentTexts(content: Json | undefined): readonly string[] {
  if (typeof content === 'string') {
    return [content];
  }
  return isJsonArray(content)
    ? content.flatMap(part => (isJsonObject(part) && part['type'] === 'text' ? (textMember(part, 'text') ?? []) : []))
    : [];
}

/** The content that holds one text, in the form that the message had. */
export function contentWith(content: Json | undefined, text: string): Json {
  return typeof content === 'string' ? text : [{ type: 'text', text }];
}
