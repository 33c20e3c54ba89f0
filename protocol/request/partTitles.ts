import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';

/** A tool's name, as the header keys it; `tool` where it has none. */
export function toolTitle(tool: Json): string {
  if (!isJsonObject(tool)) {
    return 'tool';
  }
  const { name, function: called, type } = tool;
  const names = [name, isJsonObject(called) ? called['name'] : undefined, type];
  return names.find(each => typeof each === 'string') ?? 'tool';
}

/** Its role, and where it has several parts their types. */
export function messageTitle({ role, content }: JsonObject): string {
  const types = isJsonArray(content)
    ? content.map(part => (isJsonObject(part) && typeof part['type'] === 'string' ? part['type'] : 'part'))
    : [];
  const named = [...new Set(types)].filter(type => type !== 'text').join(', ');
  return `${typeof role === 'string' ? role : 'message'}${named === '' ? '' : ` (${named})`}`;
}
