import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { runBudgetDemo } from '../adapter/demo/budget/runBudgetDemo.ts';
import { runDemo } from '../adapter/demo/runDemo.ts';
import { folders } from '../local/folders.ts';
import { complain, EXIT, workingFolder } from './command.ts';
import { demoEnding } from './demoEnding.ts';
import { PrintedDemo } from './demoTeller.ts';
import { reasonOf } from './failure.ts';
import { outputStyle } from './style.ts';

interface Flags {
  readonly fast?: true;
  readonly pace: number;
  readonly record?: string;
  readonly keepOpen?: boolean;
  readonly budget?: true;
}

const HELP = `
The session keeps a log as every session does, and editors can watch it while it runs. Started in the sample project, the demo
works with its files; elsewhere with a copy of them in a folder of its own.

The budget layer is on in it. With --budget the session is longer than its window: history is compressed again and again, and
the end says what it came to.

Exit code: 0, also after Ctrl-C; 2 when the session cannot be opened or written.`;

/** Adds `demo`. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .summary('run a short coding session with a scripted model')
    .description('Run a built-in agent through a coding session in which blocks come and go.')
    .option('--pace <ms>', 'milliseconds between two things that happen', readPace, 600)
    .option('--fast', 'as fast as possible')
    .option('--record <folder>', 'write each request that the model received to <folder>/<n>.json')
    .option('--keep-open', 'let the session go on slowly until you press Ctrl-C')
    .option('--budget', 'a session of 132 requests in a window of 12,000 tokens')
    .addHelpText('after', HELP)
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

function readPace(given: string): number {
  if (!/^\d{1,6}$/.test(given)) {
    throw new InvalidArgumentError('It is no number of milliseconds.');
  }
  return Number(given);
}

async function run({ fast, pace, record, keepOpen = false, budget }: Flags): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stop.abort());
  }
  // Nobody looks any more.
  process.stdout.once('error', () => stop.abort());
  const style = outputStyle();
  // Where no terminal is, nobody wants lines to be cut.
  const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  try {
    const result = await (budget ? runBudgetDemo : runDemo)({
      cwd: workingFolder() ?? '/',
      folders: folders(),
      teller: new PrintedDemo(style, width, text => process.stdout.write(text)),
      pace: fast ? 0 : pace,
      ...(record !== undefined && { record: resolve(record) }),
      keepOpen,
      signal: stop.signal,
    });
    process.stdout.write(demoEnding(result, style));
    return EXIT.clean;
  } catch (error) {
    complain('demo', reasonOf(error));
    return EXIT.unreadable;
  }
}
