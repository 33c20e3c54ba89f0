import process from 'node:process';
import {
  type Connection,
  createConnection,
  createServerPipeTransport,
  createServerSocketTransport,
  type MessageReader,
  type MessageWriter,
} from 'vscode-languageserver/node';
import { ClientFileSystem } from './clientFileSystem.ts';
import { type Invocation, readCommandLine } from './commandLine.ts';
import { NodeFileSystem } from './nodeFileSystem.ts';
import { SchemeFileSystem } from './schemeFileSystem.ts';
import { startServer } from './startServer.ts';
import { loadTranslations } from './translations.ts';

const invocation = readCommandLine(process.argv.slice(2));
switch (invocation.kind) {
  case 'print':
    process.stdout.write(`${invocation.text}\n`);
    break;
  case 'wrong':
    process.stderr.write(`${invocation.text}\n`);
    process.exitCode = 2;
    break;
  default:
    await serve(connect(invocation));
}

async function serve(connection: Connection): Promise<void> {
  // An error that nobody waits for is told to the person who reads the log; requests go on.
  process.on('unhandledRejection', error => connection.console.error(`Unexpected error: ${describe(error)}`));
  process.on('uncaughtException', error => connection.console.error(`Unexpected error: ${describe(error)}`));
  await loadTranslations(process.env['VSCODE_L10N_BUNDLE_LOCATION'], connection.console);
  startServer(connection, new SchemeFileSystem(new NodeFileSystem(), new ClientFileSystem(connection)));
}

function connect(invocation: Exclude<Invocation, { kind: 'print' | 'wrong' }>): Connection {
  switch (invocation.kind) {
    case 'socket':
      return overStreams(createServerSocketTransport(invocation.port), `port ${invocation.port}`);
    case 'pipe':
      return overStreams(createServerPipeTransport(invocation.name), invocation.name);
    default:
      // The library reads these two flags by itself; with --stdio it also turns console.* into log messages.
      process.once('disconnect', () => process.exit(1));
      return createConnection();
  }
}

/** The library ends the process with its standard input; with a socket's it does not. */
function overStreams([reader, writer]: [MessageReader, MessageWriter], place: string): Connection {
  reader.onError(error => {
    process.stderr.write(`Nobody listens on ${place}: ${error.message}\n`);
    process.exit(1);
  });
  reader.onClose(() => process.exit(1));
  return createConnection(reader, writer);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
