#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { product } from '../protocol/product.ts';
import { addCheckCommand } from './check.ts';
import { complain, EXIT, isClosedPipe } from './command.ts';
import { addDemoCommand } from './demo.ts';
import { addDiffCommand } from './diff.ts';
import { addDoctorCommand } from './doctor.ts';
import { reasonOf } from './failure.ts';
import { addLogCommand } from './log.ts';
import { addParseCommand } from './parse.ts';
import { printablePath } from './printable.ts';
import { addSessionsCommand } from './sessions.ts';
import { addShowCommand } from './show.ts';

process.stdout.on('error', error => {
  if (!isClosedPipe(error)) {
    complain('standard output', reasonOf(error));
    process.exit(EXIT.unreadable);
  }
});
// Nobody is left who could be told; the exit code still says it.
process.stderr.on('error', () => undefined);

const program = new Command(product.name)
  .description(
    'Check Markdown that declares the lifetime of an AI agent’s context, and look into sessions that obey it.',
  )
  .version(product.version)
  .configureOutput({ outputError: (text, write) => write(text.split('\n').map(printablePath).join('\n')) })
  .showHelpAfterError('(add --help for more)')
  .exitOverride();
addCheckCommand(program);
addParseCommand(program);
addSessionsCommand(program);
addLogCommand(program);
addShowCommand(program);
addDiffCommand(program);
addDoctorCommand(program);
addDemoCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.clean : EXIT.unreadable;
  } else {
    complain('unexpected error', reasonOf(error));
    process.exitCode = EXIT.unreadable;
  }
}
