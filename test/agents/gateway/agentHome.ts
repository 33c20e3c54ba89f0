import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A person's home, a project and a folder for our logs, all of them gone after the test. */
export class AgentHome {
  /** Agents keep what is theirs below it. */
  readonly home: string;
  readonly project: string;
  /** CONTEXT_LIFECYCLE_HOME */
  readonly lifecycle: string;

  readonly #root: string;

  constructor() {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-')));
    this.#root = root;
    this.home = join(root, 'home');
    this.project = join(root, 'project');
    this.lifecycle = join(root, 'lifecycle');
    mkdirSync(this.home);
    mkdirSync(this.project);
    mkdirSync(this.lifecycle, { mode: 0o700 });
  }

  remove(): void {
    // an agent's helpers may still be writing
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /** Writes a file of the project; gives its whole path. */
  write(path: string, text: string): string {
    return write(join(this.project, path), text);
  }

  /** Writes a file of the person's home; gives its whole path. */
  writeForUser(path: string, text: string): string {
    return write(join(this.home, path), text);
  }

  /** All that an agent has stored in files with this ending, below a folder of the home. */
  stored(folder: string, ending: string): string {
    return readdirSync(join(this.home, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith(ending))
      .map(name => readFileSync(join(this.home, folder, name), 'utf8'))
      .join('\n');
  }
}

function write(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
