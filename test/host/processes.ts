import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  readonly id: number;
  readonly parent: number;
  readonly command: string;
}

/** Every process of this machine that we may see. */
export function processes(): readonly Process[] {
  return process.platform === 'linux' ? linuxProcesses() : listedProcesses();
}

/** From /proc, because small Linux systems have no `ps`. */
function linuxProcesses(): readonly Process[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
        return [{ id: Number(name), parent: Number(parent), command }];
      } catch {
        // it ended while we were reading
        return [];
      }
    });
}

function listedProcesses(): readonly Process[] {
  return list()
    .split('\n')
    .flatMap(line => {
      const [, id, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return id && parent && command ? [{ id: Number(id), parent: Number(parent), command }] : [];
    });
}

function list(): string {
  const options = { encoding: 'utf8' } as const;
  if (process.platform !== 'win32') return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], options);
  const query = 'Get-CimInstance Win32_Process | % { "$($_.ProcessId) $($_.ParentProcessId) $($_.CommandLine)" }';
  return execFileSync('powershell', ['-NoProfile', query], options);
}
