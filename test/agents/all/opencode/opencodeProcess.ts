import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
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

/** `opencode serve`, which keeps one process for many prompts. */
export interface Server {
  /** Gives what the server answers, and its status. */
  post(path: string, body: object): Promise<{ readonly status: number; readonly answer: unknown }>;
  /** What was written to standard error so far. */
  stderr(): string;
  close(): Promise<void>;
}

/** agents.md trap: with port 0 it takes 4096, so that two cannot run at once. */
export async function startServer(home: OpencodeHome): Promise<Server> {
  const port = await freePort();
  const args = ['serve', '--hostname', '127.0.0.1', '--port', String(port)];
  const child = spawn(program, args, { cwd: home.project, env: home.environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const stderr = collect(child.stderr);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), deadlineMilliseconds);
  await said(child.stdout, closed);
  return {
    post: async (path, body) => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
      return { status: response.status, answer: JSON.parse(await response.text()) as unknown };
    },
    stderr,
    close: async () => {
      child.kill('SIGTERM');
      await closed;
      clearTimeout(tooLong);
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Its last line before it answers; what is asked before that may get no answer at all. */
const READY = 'listening on';

function said(stdout: NodeJS.ReadableStream, closed: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    stdout.on('data', (part: Buffer) => {
      text += part.toString('utf8');
      if (text.includes(READY)) {
        resolve();
      }
    });
    void closed.then(() => reject(new Error(`opencode serve ended before it listened: ${text}`)));
  });
}
