import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEvent } from '../../protocol/request/logEvent.ts';

/** A log of ours as it lies on disk. */
export interface LogOnDisk {
  readonly file: string;
  readonly header: { readonly id: string; readonly agent: string; readonly parentSession?: string };
  readonly events: readonly LogEvent[];
}

/** All logs of a CONTEXT_LIFECYCLE_HOME, oldest first. */
export function logsIn(folder: string): readonly LogOnDisk[] {
  return readdirSync(join(folder, 'sessions'))
    .filter(name => name.endsWith('.jsonl'))
    .map(name => {
      const file = join(folder, 'sessions', name);
      const [first = '', ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n');
      return {
        file,
        header: JSON.parse(first) as LogOnDisk['header'] & { created: number },
        events: rest.map(line => JSON.parse(line) as LogEvent),
      };
    })
    .sort((one, other) => one.header.created - other.header.created);
}

/** Data of all events of a type. */
export function dataOf(log: LogOnDisk, type: string): readonly Readonly<Record<string, unknown>>[] {
  return log.events.filter(event => event.type === type).map(event => event.data as Readonly<Record<string, unknown>>);
}
