import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inRepository } from '../../../scripts/build/paths.ts';
import type { PiHome } from './piHome.ts';

/** A version of pi that is installed in test/agents. */
export interface Pi {
  readonly version: string;
  readonly program: string;
}

export const piVersions: readonly Pi[] = [
  { version: '1.6.0', program: inRepository('test/agents/node_modules/pi-1.6/dist/bundle/cli.js') },
  { version: '0.73.1', program: inRepository('test/agents/node_modules/pi-0.73/dist/cli.js') },
];

/** What a person loads. */
const shippedExtension = process.env['PI_EXTENSION'] ?? inRepository('dist/pi.js');

/** How long an agent may take to say what a test waits for. */
const deadlineMilliseconds = 60_000;

export interface PrintRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `pi -p`: one prompt, and the answer on stdout; with null in place of the extension, pi alone. */
export async function runPrint(
  pi: Pi,
  home: PiHome,
  prompt: string,
  { extension = shippedExtension, more = [] }: { extension?: string | null; more?: readonly string[] } = {},
): Promise<PrintRun> {
  const child = start(pi, home, ['-p', ...more, ...(extension === null ? [] : ['-e', extension]), prompt]);
  child.stdin?.end();
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const [exitCode] = (await once(child, 'close', { signal: AbortSignal.timeout(deadlineMilliseconds) })) as [
    number | null,
  ];
  return { exitCode, stdout: stdout(), stderr: stderr() };
}

/** One line that pi writes in RPC mode. */
export interface RpcEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** `pi --mode rpc`. */
export interface RpcSession {
  /** Sends a command and gives its response. */
  ask(command: { readonly type: string; readonly [member: string]: unknown }): Promise<RpcEvent>;
  /** Sends a prompt and waits until the agent is done with it. */
  prompt(message: string): Promise<void>;
  /** Sends a command that starts a turn, and waits for the turn's end. */
  run(command: string): Promise<void>;
  /** What extensions have shown to the person so far. */
  notes(): readonly string[];
  close(): Promise<void>;
}

export function startRpc(pi: Pi, home: PiHome, more: readonly string[] = []): RpcSession {
  const child = start(pi, home, ['--mode', 'rpc', ...more, '-e', shippedExtension]);
  const stderr = collect(child.stderr);
  const closed = once(child, 'close');
  const events: RpcEvent[] = [];
  const waiting = new Set<() => void>();
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  lines.on('line', line => {
    events.push(JSON.parse(line) as RpcEvent);
    for (const wake of waiting) {
      wake();
    }
  });
  const send = (command: object): void => {
    child.stdin?.write(`${JSON.stringify(command)}\n`);
  };
  const seen = (from: number, fits: (event: RpcEvent) => boolean): Promise<RpcEvent> =>
    new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        waiting.delete(look);
        clearTimeout(timer);
        finish();
      };
      const look = (): void => {
        const found = events.slice(from).find(fits);
        if (found) {
          settle(() => resolve(found));
        }
      };
      const giveUp = (): void =>
        settle(() => reject(new Error(`pi did not answer: ${JSON.stringify(events.at(-1))}\n${stderr()}`)));
      const timer = setTimeout(giveUp, deadlineMilliseconds);
      void closed.then(giveUp);
      waiting.add(look);
      look();
    });
  let id = 0;
  const ask: RpcSession['ask'] = async command => {
    id += 1;
    const from = events.length;
    const own = String(id);
    send({ id: own, ...command });
    const response = await seen(from, event => event.type === 'response' && event['id'] === own);
    if (response['success'] !== true) {
      throw new Error(`pi refused ${command.type}: ${JSON.stringify(response)}`);
    }
    return response;
  };
  return {
    ask,
    prompt: async message => {
      const from = events.length;
      await ask({ type: 'prompt', message });
      if (!message.startsWith('/')) {
        await seen(from, event => event.type === 'agent_end');
        await ask({ type: 'get_state' });
      }
    },
    run: async command => {
      const from = events.length;
      await ask({ type: 'prompt', message: command });
      await seen(from, event => event.type === 'agent_end');
      await ask({ type: 'get_state' });
    },
    notes: () =>
      events
        .filter(event => event.type === 'extension_ui_request' && event['method'] === 'notify')
        .map(event => String(event['message'])),
    close: async () => {
      child.stdin?.end();
      const tooLong = setTimeout(() => child.kill('SIGKILL'), deadlineMilliseconds);
      await closed;
      clearTimeout(tooLong);
    },
  };
}

function start(pi: Pi, home: PiHome, args: readonly string[]): ChildProcess {
  const provider = args.includes('--provider') ? [] : ['--provider', 'fake'];
  return spawn(process.execPath, [pi.program, ...provider, '--model', 'fake-1', ...args], {
    cwd: home.project,
    env: home.environment,
    stdio: 'pipe',
  });
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const parts: Buffer[] = [];
  stream?.on('data', (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8');
}
