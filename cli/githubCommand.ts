import { printable } from './printable.ts';

/**
 * One GitHub Actions workflow command, such as `::error file=a.md,line=1::text`. Values from outside cannot end the
 * command or start another one: control characters are shown as escapes first, then GitHub's own escapes are applied.
 */
export function githubCommand(
  name: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number>>,
  text: string,
): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${name} ${list.join(',')}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return printable(text).replaceAll('%', '%25');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
