import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inRepository } from '../../scripts/build/paths.ts';

/** Writes a person's config.json with the budget layer on into a CONTEXT_LIFECYCLE_HOME; `settings` are its other members. */
export function turnOnBudget(folder: string, settings: object): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ budget: { enabled: true, ...settings } }), {
    mode: 0o600,
  });
}

/** What `context-lifecycle report` prints of a session. */
export async function printedReport(folder: string, session: string): Promise<string> {
  const args = [inRepository('cli/main.ts'), 'report', session];
  const env = { PATH: process.env['PATH'], CONTEXT_LIFECYCLE_HOME: folder };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trimEnd();
}

/** So many words that no two calls share. */
export function words(count: number, name: string): string {
  return Array.from({ length: count }, (_, index) => `${name}-${index}`).join(' ');
}
