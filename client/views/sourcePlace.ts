import { shown } from './wording.ts';

/** A line of a file of this machine, counted from 1. */
export interface FilePlace {
  readonly path: string;
  readonly line: number;
}

/** Two dividers at the start, of whatever kind, name another machine on Windows: no file of this one is meant. */
const ABSOLUTE = /^(?:\/(?![\\/])|[A-Za-z]:[\\/])/;

/** No system has a longer path, in UTF-16 code units. */
const LONGEST_PATH = 32_767;

/** What is no file has a colon in its name, as `tool:read_file` and `pi:/context-discard` have. */
function isFile(source: string): boolean {
  return ABSOLUTE.test(source) || !source.includes(':');
}

/**
 * The file that a source is by its own name, whole or below the session's folder; absent for what is no file, such as
 * `tool:read_file`. Whether it is there is for who opens it to see.
 */
export function filePlace(source: string, cwd: string | undefined, line: number | undefined): FilePlace | undefined {
  if (source.length > LONGEST_PATH) {
    return undefined;
  }
  if (ABSOLUTE.test(source)) {
    return { path: source, line: line ?? 1 };
  }
  const isName = source !== '' && isFile(source) && !/^[\\/]/.test(source);
  return isName && cwd !== undefined && ABSOLUTE.test(cwd)
    ? { path: `${cwd.replace(/[\\/]$/, '')}/${source}`, line: line ?? 1 }
    : undefined;
}

/** `AGENTS.md:12`: below the session's folder the path from there, elsewhere the end of it. What is no file has no lines that a person could go to. */
export function placeText(source: string, cwd: string | undefined, line?: number): string {
  const name = nameIn(source, cwd);
  return line === undefined || !isFile(source) ? shown(name) : `${shown(name, 180)}:${line}`;
}

/** Without the folders of a file, for where there is no room for them. */
export function shortPlaceText(source: string, line?: number): string {
  return placeText(isFile(source) ? (source.split(/[\\/]/).at(-1) ?? source) : source, undefined, line);
}

function nameIn(source: string, cwd: string | undefined): string {
  const divider = source.includes('\\') && !source.includes('/') ? '\\' : '/';
  if (cwd !== undefined && cwd !== '') {
    const folder = cwd.endsWith(divider) ? cwd : cwd + divider;
    if (source.startsWith(folder)) {
      return source.slice(folder.length);
    }
  }
  const parts = source.split(divider);
  return ABSOLUTE.test(source) && parts.length > 3 ? ['…', ...parts.slice(-2)].join(divider) : source;
}
