import { posix, win32 } from 'node:path';

/** How a machine writes paths. Case means nothing on Windows; elsewhere it is taken as it is given. */
export type PathStyle = 'posix' | 'windows';

/**
 * The path that a source's name means: names are paths as the adapter gave them, whole or relative to the session's working
 * folder. Undefined for a name that can be no file.
 */
export function sourcePath(source: string, cwd: string | undefined, style: PathStyle): string | undefined {
  const path = style === 'windows' ? win32 : posix;
  if (source === '' || source.includes('\0')) {
    return undefined;
  }
  const base = cwd !== undefined && path.isAbsolute(cwd) ? cwd : undefined;
  if (base === undefined && !path.isAbsolute(source)) {
    return undefined;
  }
  return base === undefined ? path.resolve(source) : path.resolve(base, source);
}

/** Such a path, the same text for all names of the same file; links are not followed. */
export function sourceFile(source: string, cwd: string | undefined, style: PathStyle): string | undefined {
  const whole = sourcePath(source, cwd, style);
  return style === 'windows' ? whole?.toLowerCase() : whole;
}

/** Whether a source of a session is this very file. It remembers its answers: a session names few sources often. */
export function isSourceOf(file: string, cwd: string | undefined, style: PathStyle): (source: string) => boolean {
  const wanted = sourceFile(file, undefined, style);
  const known = new Map<string, boolean>();
  return source => {
    const answer = known.get(source) ?? (wanted !== undefined && sourceFile(source, cwd, style) === wanted);
    known.set(source, answer);
    return answer;
  };
}
