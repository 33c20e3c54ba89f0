import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';

export interface AgentCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a shell adds to the number of the signal that ended a program. */
const ENDED_BY_SIGNAL = 128;

/**
 * Runs a program with this one's terminal, hands signals on to it, and gives its exit code, as a shell would. No shell is in
 * between, so that no word of the command line is read twice. Rejects where it cannot be started.
 */
export async function runAgentProcess({ program, args, env }: AgentCommand): Promise<number> {
  const child = spawn(programToStart(program, env), args, { stdio: 'inherit', env });
  const handlers = FORWARDED.map(signal => {
    // A terminal sends Ctrl-C to all programs that it runs, so the agent has it already.
    const handle = (): void => void (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal));
    process.on(signal, handle);
    return () => process.off(signal, handle);
  });
  try {
    return await exitOf(child);
  } finally {
    for (const removeHandler of handlers) {
      removeHandler();
    }
  }
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? ENDED_BY_SIGNAL + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * On Windows an agent from npm is a script of the command prompt, which only a shell can start. Throws with a way out: what a
 * person writes behind such a name would be read by that shell.
 */
function programToStart(program: string, env: AgentCommand['env']): string {
  if (process.platform === 'win32') {
    const folders = /[\\/]/.test(program) ? [''] : (env['Path'] ?? env['PATH'] ?? '').split(delimiter);
    const has = (ending: string): boolean => folders.some(folder => existsSync(join(folder, `${program}${ending}`)));
    if (/\.(?:cmd|bat)$/i.test(program) || (!has('') && !has('.exe') && !has('.com') && has('.cmd'))) {
      throw new Error(
        'It is a script of the command prompt. Start "context-lifecycle gateway", paste its lines into PowerShell, and start the agent there.',
      );
    }
  }
  return program;
}
