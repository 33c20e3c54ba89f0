import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A folder on disk for one test. */
export class WorkspaceFolder {
  readonly path = realpathSync(mkdtempSync(path.join(tmpdir(), 'context-lifecycle-')));
  readonly uri = pathToFileURL(this.path).href;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [name, content] of Object.entries(files)) {
      this.write(name, content);
    }
  }

  /** The URI of the written file. */
  write(name: string, content: string | Uint8Array): string {
    const file = path.join(this.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return this.uriOf(name);
  }

  remove(name: string): string {
    rmSync(path.join(this.path, name), { recursive: true });
    return this.uriOf(name);
  }

  uriOf(name: string): string {
    return `${this.uri}/${name}`;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function block(id: string, text = 'Text.'): string {
  return `<!--BLOCK_ID:${id}-->\n${text}\n<!--/BLOCK_ID:${id}-->\n`;
}

export function discard(id: string): string {
  return `<!--DISCARD_BLOCK:${id}-->\n`;
}
