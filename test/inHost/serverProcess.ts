import { processes } from '../host/processes.ts';

/** The process id of the language server that this extension host has started; absent while none runs. */
export function serverProcess(): number | undefined {
  return processes().find(({ parent, command }) => parent === process.pid && /dist[\\/]server\.js/.test(command))?.id;
}
