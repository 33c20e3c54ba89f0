import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import type { RecordedRequest } from '../../scriptedModel/server.ts';

/** What a model reads in a body of any of the APIs, in order. */
export interface Shown {
  /** Texts of role user. */
  readonly users: readonly string[];
  /** Each tool result. */
  readonly results: readonly string[];
}

export function shownIn({ body }: Pick<RecordedRequest, 'body'>): Shown {
  const parsed = JSON.parse(body) as JsonObject;
  const users: string[] = [];
  const results: string[] = [];
  for (const message of objects(parsed['messages'] ?? parsed['input'] ?? parsed['contents'])) {
    const { role, type, content, parts, output } = message;
    if (typeof type === 'string' && type.endsWith('_output')) {
      results.push(textIn(output));
    } else if (role === 'user') {
      for (const part of typeof content === 'string' ? [{ text: content }] : objects(content ?? parts)) {
        const { functionResponse } = part;
        if (part['type'] === 'tool_result') {
          results.push(textIn(part['content']));
        } else if (isJsonObject(functionResponse)) {
          results.push(textIn(functionResponse['response']));
        } else if (typeof part['text'] === 'string') {
          users.push(part['text']);
        }
      }
    }
  }
  return { users, results };
}

function objects(list: Json | undefined): readonly JsonObject[] {
  return isJsonArray(list) ? list.filter(isJsonObject) : [];
}

function textIn(value: Json | undefined): string {
  if (isJsonArray(value)) {
    return value.map(textIn).join('');
  }
  return isJsonObject(value) ? textIn(value['text'] ?? value['output']) : typeof value === 'string' ? value : '';
}
