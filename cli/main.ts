#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { product } from '../protocol/product.ts';
import { addCheckCommand } from './check.ts';
import { complain, EXIT } from './command.ts';
import { reasonOf } from './failure.ts';
import { addParseCommand } from './parse.ts';
import { printablePath } from './printable.ts';

/** A reader that has seen enough (`| head`) closes the pipe; that is no error. */
function quietOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') {
    throw error;
  }
  process.exit(process.exitCode ?? EXIT.clean);
}

process.stdout.on('error', quietOnClosedPipe);
process.stderr.on('error', quietOnClosedPipe);

const program = new Command(product.name)
  .description('Check and parse Markdown that declares the lifetime of an AI agent’s context.')
  .version(product.version)
  .configureOutput({ outputError: (text, write) => write(text.split('\n').map(printablePath).join('\n')) })
  .showHelpAfterError('(add --help for more)')
  .exitOverride();
addCheckCommand(program);
addParseCommand(program);

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
