import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Two readings of one boot time differ by what the clock was set right meanwhile. */
const SAME_BOOT_SECONDS = 120;
const BY_TIME = /^booted-(\d+)$/;

let known: string | undefined;

/**
 * A name of the time since this machine was last started, within which process numbers mean something. The kernel's own
 * one on Linux and macOS; on Windows, and wherever the kernel has none, the time of the start in seconds.
 */
export function bootId(): string {
  known ??= kernelsBootId() ?? `booted-${Math.round(Date.now() / 1000 - uptime())}`;
  return known;
}

/** Whether two names are those of one start: times may differ a little. */
export function isSameBoot(one: string, other: string): boolean {
  const [, first] = BY_TIME.exec(one) ?? [];
  const [, second] = BY_TIME.exec(other) ?? [];
  return first !== undefined && second !== undefined
    ? Math.abs(Number(first) - Number(second)) <= SAME_BOOT_SECONDS
    : one === other;
}

function kernelsBootId(): string | undefined {
  try {
    return readBootId(process.platform);
  } catch {
    // No /proc, or no sysctl: the time of the start says as much.
    return undefined;
  }
}

function readBootId(platform: NodeJS.Platform): string | undefined {
  if (platform === 'linux') {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'ascii').trim() || undefined;
  }
  if (platform === 'darwin') {
    // Not kern.boottime, which moves when the clock is set.
    const id = execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], {
      encoding: 'ascii',
      timeout: 2_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return id.trim() || undefined;
  }
  return undefined;
}
