import { readFileSync, readlinkSync } from 'node:fs';

/** Whether a process with this number runs on this machine, whoever owns it. One that was killed and not yet buried does not. */
export function processAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return statFields(pid)?.[0] !== 'Z';
}

/**
 * When a process was started, in the kernel's own units, which tells it from a later one with the same number. Absent where
 * the system does not say (only Linux does), and for a process that is gone.
 */
export function processStart(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

/** The set of processes that this one can see: a container has its own. Absent where the system has only one. */
export function processNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** The fields of /proc/<pid>/stat from the third on, which is the state. The second may hold anything, in brackets. */
function statFields(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
