import { type MarkupContent, MarkupKind } from 'vscode-languageserver';

/**
 * Text from outside (a file's path, an ID) as part of a Markdown sentence. In a code span it can make neither link, image,
 * HTML nor table, and autolinks find no address in it; and editors that show Markdown as it is written leave it readable,
 * which they do not with backslashes. Empty for an empty text.
 */
export function codeSpan(text: string): string {
  const shown = visibleText(text);
  if (shown === '') {
    return '';
  }
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return fence + pad + shown + pad + fence;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length));
}

/** The text with its control and formatting characters, line ends among them, shown as U+FFFD. */
export function visibleText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/** Paragraphs or lists as the client can show them. */
export function markup(paragraphs: readonly string[], markdown: boolean): MarkupContent {
  return { kind: markdown ? MarkupKind.Markdown : MarkupKind.PlainText, value: paragraphs.join('\n\n') };
}
