/** Something that could not be read, written or found; never a reason to stop. */
export interface Failure {
  /** What the person named, as shown; unescaped. */
  readonly path: string;
  /** One sentence. */
  readonly reason: string;
}

/** What a shell hands over for an unset variable in quotes; as a path it would be the working folder. */
export const EMPTY_NAME: Failure = { path: '""', reason: 'An empty name names no file.' };

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'Access to it is denied.',
  EPERM: 'Access to it is denied.',
  EROFS: 'Its file system is read-only.',
  ENOSPC: 'There is no space left for it.',
  EBADF: 'It is closed.',
  ENOTDIR: 'A part of its path is a file, not a folder.',
  EISDIR: 'It is a folder.',
  ELOOP: 'Its symbolic links lead in a circle.',
  ENAMETOOLONG: 'Its name is too long.',
};

/** Why reading or writing failed, as one sentence. `path` helps where it explains the failure. */
export function reasonOf(error: unknown, path = ''): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' && path.includes('\ufffd')) {
    return 'Its name holds bytes that are no UTF-8, so it cannot be opened: rename it.';
  }
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
