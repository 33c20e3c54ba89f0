/** All texts of a model API's request body, in order. */
export interface PayloadTexts {
  /** Of the system prompt, wherever the API puts it. */
  readonly composed: readonly string[];
  /** Of the messages. */
  readonly ordinary: readonly string[];
}

/** Members that hold the system prompt in one API or another. */
const systemMembers = new Set(['system', 'instructions', 'systemInstruction', 'system_instruction', 'systemPrompt']);
const systemRoles = new Set(['system', 'developer']);
/** What they hold is no message. */
const otherMembers = new Set(['tools', 'toolConfig', 'tool_choice', 'model']);

/** How deep such members stand: in the body itself, or in its `config`. */
const OUTER_LEVELS = 2;

/** Reads the body of any model API: chat completions, Responses, Messages, Gemini and those like them. */
export function payloadTexts(payload: unknown): PayloadTexts {
  const composed: string[] = [];
  const ordinary: string[] = [];
  const visit = (value: unknown, texts: string[], level: number): void => {
    if (typeof value === 'string') {
      texts.push(value);
      return;
    }
    if (typeof value !== 'object' || value === null) {
      return;
    }
    if (Array.isArray(value)) {
      for (const item of value) {
        visit(item, texts, level + 1);
      }
      return;
    }
    const role: unknown = 'role' in value ? value.role : undefined;
    const own = typeof role === 'string' && systemRoles.has(role) ? composed : texts;
    for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
      const isOuter = level < OUTER_LEVELS;
      if (!(isOuter && otherMembers.has(name))) {
        visit(inner, isOuter && systemMembers.has(name) ? composed : own, level + 1);
      }
    }
  };
  visit(payload, ordinary, 0);
  return { composed, ordinary };
}
