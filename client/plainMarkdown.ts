/**
 * Text as Markdown that shows exactly this text: names and reasons come from documents, so they may make no link, no
 * HTML and no heading. The editor's own `appendText` would make every blank unbreakable.
 */
export function plainMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&').replace(/[\r\n\t ]+/g, ' ');
}
