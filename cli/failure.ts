/** Something that could not be read, written or found; never a reason to stop. */
export interface Failure {
  /** What the person named, as shown; unescaped. */
  readonly path: string;
  /** One sentence. */
  readonly reason: string;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'You may not read it.',
  EPERM: 'You may not read it.',
  EISDIR: 'It is a folder.',
  ELOOP: 'Its symbolic links lead in a circle.',
  ENAMETOOLONG: 'Its name is too long.',
  ERR_FS_FILE_TOO_LARGE: 'It is too large to be read at once.',
  ERR_STRING_TOO_LONG: 'It is too large to be read at once.',
};

/** Why reading failed, as one sentence. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
