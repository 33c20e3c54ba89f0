import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { atEnd } from './cleanUp.ts';

/** How long a group may take to end by itself before it is ended. */
const graceMilliseconds = 3000;

export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Ends the process and everything that it started; returns when the process itself is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a process that leads its own group, and ends the whole group when this process ends. Killing VS Code's server
 * alone would leave its extension hosts waiting three hours for a reconnection.
 */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  const forget = atEnd(() => signal(child, 'SIGKILL'));
  return {
    child,
    stop: async () => {
      await stopGroup(child);
      forget();
    },
  };
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    signal(child, 'SIGTERM');
    const timer = setTimeout(signal, graceMilliseconds, child, 'SIGKILL');
    await gone;
    clearTimeout(timer);
  }
  // the process is gone, but what it started may be left
  signal(child, 'SIGKILL');
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // no process of the group is left
  }
}
