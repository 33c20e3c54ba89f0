import { product } from '../protocol/product.ts';

/** How the server talks to its client, or what it prints instead. */
export type Invocation =
  | { readonly kind: 'stdio' | 'node-ipc' }
  | { readonly kind: 'socket'; readonly port: number }
  | { readonly kind: 'pipe'; readonly name: string }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'wrong'; readonly text: string };

const NAME = 'context-lifecycle-server';

const HELP = `Usage: ${NAME} --stdio | --node-ipc | --socket=<port> | --pipe=<name>

The language server for context Markdown. One of these says how it talks to the editor:
  --stdio            standard input and output
  --node-ipc         the channel to the Node process that started it
  --socket=<port>    a TCP port on this machine that the editor listens on
  --pipe=<name>      a named pipe or local socket that the editor listens on

Other flags:
  --clientProcessId=<pid>   end when this process ends
  --version                 print the version
  --help                    print this text`;

/** Reads the arguments after the script's name. Values may follow a blank or an equals sign. */
export function readCommandLine(args: readonly string[]): Invocation {
  const chosen: Invocation[] = [];
  const rest = args.flatMap(splitFlag).values();
  for (const flag of rest) {
    switch (flag) {
      case '--help':
        return { kind: 'print', text: HELP };
      case '--version':
        return { kind: 'print', text: product.version };
      case '--stdio':
        chosen.push({ kind: 'stdio' });
        break;
      case '--node-ipc':
        chosen.push({ kind: 'node-ipc' });
        break;
      case '--socket':
        chosen.push(socket(rest.next().value));
        break;
      case '--pipe':
        chosen.push(pipe(rest.next().value));
        break;
      case '--clientProcessId':
        // The library looks for it by itself.
        rest.next();
        break;
      default:
        return wrong(`${flag} is no flag of ${NAME}.`);
    }
  }
  const [transport, another] = chosen;
  if (!transport) {
    return wrong('Say how to talk to the editor.');
  }
  return another ? wrong('Only one way to talk to the editor can be used at a time.') : transport;
}

function splitFlag(argument: string): readonly string[] {
  const equals = argument.startsWith('--') ? argument.indexOf('=') : -1;
  return equals < 0 ? [argument] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

function socket(value: string | undefined): Invocation {
  const port = Number(value);
  return value && Number.isInteger(port) && port > 0 && port < 65_536
    ? { kind: 'socket', port }
    : wrong('--socket needs a port between 1 and 65535.');
}

function pipe(name: string | undefined): Invocation {
  return name ? { kind: 'pipe', name } : wrong('--pipe needs a name.');
}

function wrong(reason: string): Invocation {
  return { kind: 'wrong', text: `${reason} Run ${NAME} --help for all flags.` };
}
