import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { inRepository } from '../../../../scripts/build/paths.ts';
import type { OpencodeHome } from './opencodeHome.ts';

const program = inRepository('test/agents/all/node_modules/opencode-linux-x64/bin/opencode');

/** Its first start in a new home takes longest. */
const deadlineMilliseconds = 180_000;

export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `opencode run`: one prompt, and the answer on stdout. Without `title` opencode asks the model for one. */
export async function runOpencode(
  home: OpencodeHome,
  prompt: string,
  { title = 'a title', more = [] }: { readonly title?: string | null; readonly more?: readonly string[] } = {},
): Promise<Run> {
  if (!existsSync(program)) {
    throw new Error('opencode is locked for Linux on x64 alone: run its tests there.');
  }
  const args = ['run', ...(title === null ? [] : ['--title', title]), ...more, prompt];
  const child = spawn(program, args, { cwd: home.project, env: home.environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), deadlineMilliseconds);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  clearTimeout(tooLong);
  return { exitCode, stdout: stdout(), stderr: stderr() };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8');
}
