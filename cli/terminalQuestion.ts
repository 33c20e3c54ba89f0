import { createInterface } from 'node:readline/promises';

/** What a question needs of a terminal; tests give their own. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * The terminal of the person who typed the command, whatever a shell makes of standard output; absent where nobody would see a question,
 * or where what answers it is no terminal.
 */
export function ownTerminal(): Terminal | undefined {
  const { stdin, stdout, stderr } = process;
  const output = [stdout, stderr].find(stream => stream.isTTY);
  return stdin.isTTY && output ? { input: stdin, output } : undefined;
}

/**
 * Whether a person says yes; anything else, Ctrl-C and the end of input too, is a no. Rejects with the reason of `signal` when that ends
 * the question.
 */
export async function saysYes({ input, output }: Terminal, question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input, output });
  const closed = new Promise<string>(resolve => void lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), closed]);
    return /^\s*y(?:es)?\s*$/i.test(answer);
  } catch (error) {
    output.write('\n');
    throw signal.aborted ? signal.reason : error;
  } finally {
    lines.close();
  }
}
