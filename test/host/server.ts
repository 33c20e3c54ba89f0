import { randomBytes } from 'node:crypto';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInExtensions, serverMain } from './install.ts';
import { startGroup } from './processGroup.ts';
import type { Profile } from './profile.ts';

const startMilliseconds = 60_000;

export interface ServerOptions {
  /** Added to the environment of the server and of its extension hosts. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Workspaces are not trusted before the user says so; without it, every workspace is trusted. */
  readonly trust?: boolean;
}

export interface Server {
  readonly port: number;
  /** Whoever opens the workbench must know it. */
  readonly token: string;
  /** What the server wrote to its output. */
  readonly logFile: string;
  /** Settles when the server has ended, by itself or because it was stopped. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts VS Code's server on a free port of this machine's loopback interface.
 * @throws {Error} with the server's output, when it does not start within a minute
 */
export async function startServer(profile: Profile, options: ServerOptions = {}): Promise<Server> {
  const token = randomBytes(16).toString('hex');
  const logFile = join(profile.folder, 'server.log');
  // in a file that only this user can read: everybody on the machine sees a command line
  const tokenFile = join(profile.folder, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const args = [
    ...['--host', '127.0.0.1', '--port', '0', '--connection-token-file', tokenFile],
    ...['--disable-experiments', '--disable-telemetry', '--disable-getting-started-override', '--log', 'info'],
    ...(options.trust ? [] : ['--disable-workspace-trust']),
  ];
  const { child, stop } = startVSCode(profile, args, options.environment);
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const log = createWriteStream(logFile);
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`VS Code's server ${why}. Its output:\n${output}`));
    const timer = setTimeout(fail, startMilliseconds, 'did not start within a minute');
    const read = (chunk: Buffer) => {
      log.write(chunk);
      output = (output + chunk.toString()).slice(-20_000);
      const bound = /Server bound to 127\.0\.0\.1:(\d+)/.exec(output);
      if (!bound) return;
      clearTimeout(timer);
      resolve(Number(bound[1]));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', error => fail(`could not be started: ${error.message}`));
    child.once('exit', code => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { port, token, logFile, ended, stop };
}

/** Runs one of VS Code's own commands, such as `--install-extension x.vsix`; returns its exit code and its output. */
export async function runServerCommand(
  profile: Profile,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const { child } = startVSCode(profile, args);
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', exitCode => resolve(exitCode ?? 1));
  });
  return { code, output };
}

/**
 * Installs a .vsix into a profile.
 * @throws {Error} with VS Code's own message, when it refuses the file
 */
export async function installExtension(profile: Profile, vsix: string): Promise<void> {
  const { code, output } = await runServerCommand(profile, ['--install-extension', vsix, '--force']);
  if (code !== 0) throw new Error(`VS Code did not install ${vsix}:\n${output}`);
}

function startVSCode(profile: Profile, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const folders = [
    ...['--server-data-dir', join(profile.folder, 'server'), '--user-data-dir', profile.userData],
    ...['--extensions-dir', profile.extensions, '--builtin-extensions-dir', builtInExtensions],
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
  ];
  return startGroup(process.execPath, [serverMain, ...folders, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inheritedEnvironment(), ...environment, EXTENSIONS_GALLERY: '{}' },
  });
}

/** This process's environment without what another VS Code left there; VSCODE_TEST_OPTIONS belongs to the test runner. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(VSCODE_(IPC|NLS|CWD|PID|ESM|HANDLES|CRASH|DEV|PORTABLE|SERVER|AGENT|CLI|GIT|INJECTION|L10N)|ELECTRON_|CODE_SERVER_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
