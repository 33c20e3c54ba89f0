import { closeSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Enough for the first line of a session file. */
const HEADER_BYTES = 16_384;

/** Where pi keeps what belongs to the person and to no project, as pi itself finds it. */
export function agentFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const named = env['PI_CODING_AGENT_DIR'];
  if (!named) {
    return join(home, '.pi', 'agent');
  }
  return named === '~' || named.startsWith('~/') ? join(home, named.slice(1)) : resolve(named);
}

/** The id in the first line of one of pi's session files; absent where there is none. */
export function sessionIdIn(file: string): string | undefined {
  try {
    const [line = ''] = firstBytes(file).split('\n', 1);
    const header: unknown = JSON.parse(line);
    const id: unknown = typeof header === 'object' && header !== null && 'id' in header ? header.id : undefined;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** pi's version, from the package that was started; absent where pi runs inside another program. */
export function agentVersion(program = process.argv[1] ?? ''): string | undefined {
  try {
    let folder = dirname(realpathSync(program));
    while (folder !== dirname(folder)) {
      const found = versionIn(folder);
      if (found !== undefined) {
        return found;
      }
      folder = dirname(folder);
    }
  } catch {
    // started from no file
  }
  return undefined;
}

function versionIn(folder: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly name?: unknown;
      readonly version?: unknown;
    };
    return String(name).endsWith('/pi-coding-agent') && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

function firstBytes(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEADER_BYTES);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
