import { isJsonArray, isJsonObject, type Json } from '../../../protocol/request/json.ts';

/** Texts of a tool's output that a model reads as lines, and the output's content. JSON has no lines: no tag counts in it. */
export function outputTexts(output: Json | undefined): { readonly texts: readonly string[]; readonly content: Json } {
  if (!isJsonObject(output)) {
    return { texts: [], content: output ?? null };
  }
  const { value = null } = output;
  if (typeof value === 'string') {
    return { texts: [value], content: value };
  }
  const items = output['type'] === 'content' && isJsonArray(value) ? value : [];
  const texts = items.flatMap(item =>
    isJsonObject(item) && item['type'] === 'text' && typeof item['text'] === 'string' ? item['text'] : [],
  );
  return { texts, content: value };
}

/** An output that holds one text; an error stays an error, and what providers are told stays. */
export function outputWith(output: Json | undefined, text: string): Json {
  const before = isJsonObject(output) ? output : {};
  const isError = before['type'] === 'error-text' || before['type'] === 'error-json';
  const options = before['providerOptions'];
  return {
    type: isError ? 'error-text' : 'text',
    value: text,
    ...(options === undefined ? {} : { providerOptions: options }),
  };
}
