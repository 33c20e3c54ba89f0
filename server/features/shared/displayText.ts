import { type MarkupContent, MarkupKind } from 'vscode-languageserver';

/**
 * Text from outside (a file's path) as part of a Markdown sentence: every ASCII punctuation mark is escaped, so that it
 * can make neither link, image, HTML, code nor table, and autolinks find no address in it.
 */
export function escapeMarkdown(text: string): string {
  return visibleText(text).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** The text with its control and formatting characters, line ends among them, shown as U+FFFD. */
export function visibleText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/** Paragraphs or lists as the client can show them. */
export function markup(paragraphs: readonly string[], markdown: boolean): MarkupContent {
  return { kind: markdown ? MarkupKind.Markdown : MarkupKind.PlainText, value: paragraphs.join('\n\n') };
}
