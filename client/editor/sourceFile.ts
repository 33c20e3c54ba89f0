import { posix, win32 } from 'node:path';

/** How a machine writes paths. Case means nothing on Windows; elsewhere it is taken as it is given. */
export type PathStyle = 'posix' | 'windows';

/**
 * The file that a source's name means: names are paths as the adapter gave them, whole or relative to the session's working
 * folder. Two names of the same file give the same text; links are not followed. Undefined for a name that can be no file.
 */
export function sourceFile(source: string, cwd: string | undefined, style: PathStyle): string | undefined {
  const path = style === 'windows' ? win32 : posix;
  if (source === '' || source.includes('\0')) {
    return undefined;
  }
  const base = cwd !== undefined && path.isAbsolute(cwd) ? cwd : undefined;
  if (base === undefined && !path.isAbsolute(source)) {
    return undefined;
  }
  const whole = base === undefined ? path.resolve(source) : path.resolve(base, source);
  return style === 'windows' ? whole.toLowerCase() : whole;
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

/** A source as a person knows it: relative to the session's working folder where it lies in it, else as it was given. */
export function shownSource(source: string, cwd: string | undefined, style: PathStyle): string {
  const path = style === 'windows' ? win32 : posix;
  if (cwd === undefined || !path.isAbsolute(cwd) || !path.isAbsolute(source)) {
    return source;
  }
  const way = path.relative(cwd, source);
  const lies = way !== '' && way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
  return lies ? way.replaceAll(path.sep, '/') : source;
}
