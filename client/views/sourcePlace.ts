import { shown } from './wording.ts';

/** A line of a file of this machine, counted from 1. */
export interface FilePlace {
  readonly path: string;
  readonly line: number;
}

/** The file that a source is, by its own name; absent for what is no file, such as `tool:read_file`. */
export function filePlace(source: string, line: number | undefined): FilePlace | undefined {
  return /^(?:\/(?!\/)|[A-Za-z]:[\\/])/.test(source) ? { path: source, line: line ?? 1 } : undefined;
}

/** `AGENTS.md:12`: below the session's folder the path from there, elsewhere the end of it. */
export function placeText(source: string, cwd: string | undefined, line?: number): string {
  const name = nameIn(source, cwd);
  return line === undefined ? shown(name) : `${shown(name, 180)}:${line}`;
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
  return filePlace(source, undefined) && parts.length > 3 ? ['…', ...parts.slice(-2)].join(divider) : source;
}
