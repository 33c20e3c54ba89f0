import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { inTime } from '../../server/deadline.ts';
import type { AgentCommand } from './agentProcess.ts';

/** A terminal in which an agent runs, and a person who types. */
export interface Terminal {
  /** Types, and waits as `shows` does. */
  type(keys: string, text: string): Promise<void>;
  /** Waits until a text is shown, behind the last one that was waited for. Blanks count for nothing: programs move the cursor instead. */
  shows(text: string): Promise<void>;
  /** Types what ends the program, and waits until it has ended. */
  leave(keys: string): Promise<void>;
  close(): Promise<void>;
}

const DEADLINE = 60_000;

/** Starts an agent in a terminal of its own. */
export function openTerminal({ words, cwd, env }: AgentCommand): Terminal {
  // `script` makes the terminal; its own log goes nowhere
  const child = spawn('/usr/bin/script', ['-qfec', words.map(word => `'${word}'`).join(' '), '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'xterm-256color' },
    stdio: 'pipe',
  });
  const closed = once(child, 'close');
  let unread = '';
  child.stdout.setEncoding('utf8');
  const shows = async (text: string): Promise<void> => {
    const wanted = compact(text);
    for (;;) {
      const shown = compact(stripVTControlCharacters(unread));
      if (shown.includes(wanted)) {
        unread = '';
        return;
      }
      const [piece] = (await inTime(once(child.stdout, 'data'), `“${text}” in ${shown}`, DEADLINE)) as [string];
      unread += piece;
    }
  };
  return {
    shows,
    type: async (keys, text) => {
      child.stdin.write(keys);
      await shows(text);
    },
    leave: async keys => {
      child.stdin.write(keys);
      await inTime(closed, 'the end of the program', DEADLINE);
    },
    close: async () => {
      // the program in it is told that its terminal is gone
      child.kill('SIGKILL');
      await closed;
    },
  };
}

function compact(text: string): string {
  return text.replace(/\s/g, '');
}
