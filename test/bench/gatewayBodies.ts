/** Messages of a body of about a megabyte. */
export const MESSAGES_A_MEGABYTE = 2_500;

/** Texts of the messages so far: making them anew would leave garbage that the measured work is charged for. */
const texts: string[] = [];

/** A request of so many messages, as Claude Code sends it: each time the whole history. */
export function bodyOf(length: number): Buffer {
  while (texts.length < length) {
    texts.push(JSON.stringify(messageAt(texts.length)));
  }
  return Buffer.from(`{"model":"m","max_tokens":32000,"messages":[${texts.slice(0, length).join(',')}],${REST}`);
}

/** The same session when its agent has compacted it: the first message, and the last `steps` calls with their results. */
export function compactedBody(last: number, steps: number): Buffer {
  const from = Math.max(1, 2 * (last - steps) + 1);
  const kept = Array.from({ length: 2 * last + 1 - from }, (_, place) => messageAt(from + place));
  return Buffer.from(
    JSON.stringify({ model: 'm', max_tokens: 32_000, tools: TOOLS.slice(0, 1), messages: [messageAt(0), ...kept] }),
  );
}

const SYSTEM = [{ type: 'text', text: 'You write code. '.repeat(1_000) }];
const TOOLS = Array.from({ length: 20 }, (_, index) => ({
  name: `tool-${index}`,
  description: 'A tool. '.repeat(100),
  input_schema: { type: 'object' },
}));

const REST = JSON.stringify({ system: SYSTEM, tools: TOOLS, stream: true }).slice(1);

function messageAt(index: number): object {
  if (index === 0) {
    return { role: 'user', content: 'Mend it.' };
  }
  if (index % 2 === 1) {
    const use = {
      type: 'tool_use',
      id: `toolu_${index}`,
      name: 'tool-1',
      input: { path: `src/${index}.ts`, limit: 200 },
    };
    return { role: 'assistant', content: [{ type: 'text', text: `Step ${index}.` }, use] };
  }
  const content = `${index === 2 ? '<!--ephemeral-->\n' : ''}${'const row = await "table".newest(key);\n'.repeat(14)}${index}`;
  return {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `toolu_${index - 1}`, content, is_error: false }],
  };
}
