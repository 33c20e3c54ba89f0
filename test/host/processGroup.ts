import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { atEnd } from './cleanUp.ts';

/** How long a group may take to end by itself before it is ended. */
const graceMilliseconds = 3000;

export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Ends the process; returns when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a process that leads its own group, and ends the whole group when the leader or this process ends. Killing VS Code's server
 * alone would leave its extension hosts waiting three hours for a reconnection.
 */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  const endGroup = () => signal(child, 'SIGKILL');
  const forget = atEnd(endGroup);
  child.once('exit', () => {
    endGroup();
    // the system may give the number of an ended group to another one
    forget();
  });
  return { child, stop: () => stopLeader(child) };
}

async function stopLeader(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  signal(child, 'SIGTERM');
  const timer = setTimeout(signal, graceMilliseconds, child, 'SIGKILL');
  await gone;
  clearTimeout(timer);
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // no process of the group is left
  }
}
