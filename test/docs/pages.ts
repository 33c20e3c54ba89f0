import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The Markdown pages that users read, relative to the repository. */
export const PAGES: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'sample/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];

export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export interface Section {
  readonly level: number;
  readonly title: string;
  /** The text up to the next heading of any level. */
  readonly text: string;
}

/** The sections of a page; text before the first heading is left out. */
export function sectionsOf(text: string): readonly Section[] {
  return withoutFences(text)
    .split(/^(?=#{1,6} )/gm)
    .filter(part => part.startsWith('#'))
    .map(part => {
      const [heading = '', ...lines] = part.split('\n');
      const level = heading.indexOf(' ');
      return { level, title: heading.slice(level + 1), text: lines.join('\n') };
    });
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The page without the content of fenced code, where a `#` is no heading and brackets are no link. */
export function withoutFences(text: string): string {
  return text.replace(/^```[^]*?^```$/gm, '```');
}

/** The fenced code of one language. */
export function fencesOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = '']) => code);
}

/** The cells of all table rows below the heading rows, without the outer bars. */
export function tableRows(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line, index, lines) => {
      const next = lines[index + 1] ?? '';
      return line.startsWith('| ') && !line.startsWith('| -') && !next.startsWith('| -');
    })
    .map(line =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map(cell => cell.trim()),
    );
}
