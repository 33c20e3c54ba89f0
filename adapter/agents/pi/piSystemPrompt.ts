import type { BeforeAgentStart } from './piApi.ts';

/**
 * Takes block definitions out of pi's own copy of its context files (DESIGN, flow 2: the blocks' message). Where pi lets a
 * handler change the parts of its prompt, the parts are changed; what is left, or all of it in older versions, is replaced in
 * the finished prompt. Gives the new prompt where one must be returned.
 */
export function withoutDefinitions(
  event: BeforeAgentStart,
  taken: (text: string) => string,
): { readonly systemPrompt: string } | undefined {
  const files = event.systemPromptOptions.contextFiles ?? [];
  const changes = files
    .map(file => ({ file, before: file.content, after: taken(file.content) }))
    .filter(({ before, after }) => before !== after);
  // a prompt that follows its parts is a getter
  if (Object.getOwnPropertyDescriptor(event, 'systemPrompt')?.get) {
    for (const { file, after } of changes) {
      file.content = after;
    }
  }
  const prompt = event.systemPrompt;
  const replaced = changes.reduce((text, { before, after }) => text.replaceAll(before, () => after), prompt);
  return replaced === prompt ? undefined : { systemPrompt: replaced };
}
