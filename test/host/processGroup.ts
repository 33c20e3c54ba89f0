import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How long a group may take to end by itself before it is ended. */
const graceMilliseconds = 3000;

export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Ends the process and everything that it started; returns when the process itself is gone. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/**
 * Starts a process that leads its own group, and ends that group with this process, however this process ends (a SIGKILL
 * excepted). Killing VS Code's server alone would leave its extension hosts waiting three hours for a reconnection.
 */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  watchOwnEnd();
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  running.add(child);
  return { child, stop: () => stopGroup(child) };
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    signal(child, 'SIGTERM');
    const timer = setTimeout(signal, graceMilliseconds, child, 'SIGKILL');
    await gone;
    clearTimeout(timer);
  }
  // the process is gone, but what it started may be left
  signal(child, 'SIGKILL');
  running.delete(child);
}

let watching = false;

function watchOwnEnd(): void {
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const child of running) signal(child, 'SIGKILL');
  });
  // by default a signal ends this process without its 'exit' event; whoever else listens decides alone
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(130);
    });
  }
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // no process of the group is left
  }
}
