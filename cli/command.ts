import { printable } from './printable.ts';

/** Exit codes of all commands. */
export const EXIT = { clean: 0, problems: 1, unreadable: 2 } as const;

/** Says on standard error what went wrong; `path` is what the person named. The run goes on. */
export function complain(path: string, reason: string): void {
  process.stderr.write(`context-lifecycle: ${printable(path)}: ${printable(reason)}\n`);
}

/** All bytes of standard input. */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}
