#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { product } from '../protocol/product.ts';
import { complain, EXIT, isClosedPipe } from './command.ts';
import { reasonOf } from './failure.ts';
import { printablePath } from './printable.ts';

/** Each command's file, in the order of the help. Only what is needed is loaded: a check needs no session. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  check: async () => (await import('./check.ts')).addCheckCommand,
  parse: async () => (await import('./parse.ts')).addParseCommand,
  sessions: async () => (await import('./sessions.ts')).addSessionsCommand,
  log: async () => (await import('./log.ts')).addLogCommand,
  show: async () => (await import('./show.ts')).addShowCommand,
  diff: async () => (await import('./diff.ts')).addDiffCommand,
  report: async () => (await import('./report.ts')).addReportCommand,
  handoff: async () => (await import('./handoff.ts')).addHandoffCommand,
  discard: async () => (await import('./discard.ts')).addDiscardCommand,
  doctor: async () => (await import('./doctor.ts')).addDoctorCommand,
  gateway: async () => (await import('./gateway.ts')).addGatewayCommand,
  demo: async () => (await import('./demo.ts')).addDemoCommand,
};

/** Of the command that is named first; all of them for help, and where it names none. */
function addersFor(word = ''): Promise<readonly ((program: Command) => void)[]> {
  const names = Object.hasOwn(COMMANDS, word) ? [word] : Object.keys(COMMANDS);
  return Promise.all(names.flatMap(name => COMMANDS[name]?.() ?? []));
}

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
for (const add of await addersFor(process.argv[2])) {
  add(program);
}

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
