import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface AgentCommand {
  readonly words: readonly string[];
  readonly cwd: string;
  /** The variables that it starts with, and no other. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AgentRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

/** How long an agent may take for one prompt. */
const DEADLINE = 120_000;

/** Runs a program until it ends. Rejects where it takes too long. */
export async function runProgram({ words, cwd, env }: AgentCommand): Promise<AgentRun> {
  const [program = '', ...args] = words;
  const started = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE);
  try {
    const [stdout, stderr, [exitCode, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null, string | null]>,
    ]);
    if (signal !== null) {
      throw new Error(`${program} was ended by ${signal}\n${stdout}\n${stderr}`);
    }
    return { exitCode, stdout, stderr, seconds: (performance.now() - started) / 1000 };
  } finally {
    clearTimeout(timer);
  }
}
