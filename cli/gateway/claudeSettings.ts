import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** A shell's word for a text, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command line with which a shell starts this program once more, with the Node that runs it. */
function ownCommandLine(): string {
  const script = realpathSync(resolve(process.argv[1] ?? ''));
  // An editor's own Node is one only where this variable says so.
  const electron = process.versions['electron'] === undefined ? '' : 'ELECTRON_RUN_AS_NODE=1 ';
  return `${electron}${quoted(process.execPath)} ${quoted(script)}`;
}

/**
 * Settings for one run of Claude Code, with which it tells the gateway which instruction files it has loaded. They hold no
 * address: other users of the machine can see command lines.
 */
export function claudeSettings(command = ownCommandLine()): string {
  const hook = { type: 'command', command: `${command} gateway hook claude-instructions`, timeout: 10 };
  return JSON.stringify({ hooks: { InstructionsLoaded: [{ hooks: [hook] }] } });
}

/** Whether a person hands Claude Code settings of their own for this run; of two it would take one only. */
export function hasOwnSettings(words: readonly string[]): boolean {
  return words.some(word => word === '--settings' || word.startsWith('--settings='));
}
