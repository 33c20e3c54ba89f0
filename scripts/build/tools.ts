import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository, repository } from './paths.ts';

/** How a tool ended. */
export interface ToolResult {
  readonly exitCode: number;
  /** Both of its streams in the order they came. */
  readonly output: string;
  readonly stdout: string;
}

/**
 * Runs the command `name` of an installed package with the Node that runs this script, in the repository's folder.
 * Going through the package's own file and not through `.bin` works alike on Windows.
 */
export function runTool(
  packageName: string,
  args: readonly string[],
  name = packageName,
  cwd = repository,
): Promise<ToolResult> {
  const folder = inRepository('node_modules', packageName);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[name];
  if (file === undefined) throw new Error(`The package ${packageName} has no command ${name}.`);
  return runNode([join(folder, file), ...args], cwd);
}

/** Runs Node with `args` in the repository's folder (or in `cwd`) and collects what it prints. */
export function runNode(args: readonly string[], cwd = repository): Promise<ToolResult> {
  return runProgram(process.execPath, args, cwd);
}

/** Runs npm as it was started for this script, else the one on the PATH. */
export function runNpm(args: readonly string[], cwd = repository): Promise<ToolResult> {
  const started = process.env['npm_execpath'];
  return started !== undefined && /npm-cli\.c?js$/.test(started)
    ? runNode([started, ...args], cwd)
    : runProgram('npm', args, cwd);
}

/**
 * Runs a program and collects what it prints. Rejects when it cannot be started at all.
 * On Windows npm is a batch file, which only a shell starts: pass no text from outside to `program` and `args`.
 */
export function runProgram(program: string, args: readonly string[], cwd = repository): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const shell = process.platform === 'win32' && program === 'npm';
    const child = spawn(program, args, { cwd, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    const all: Buffer[] = [];
    const fromStdout: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => {
      all.push(piece);
      fromStdout.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => all.push(piece));
    child.on('error', reject);
    child.on('close', exitCode =>
      resolve({ exitCode: exitCode ?? 1, output: textOf(all), stdout: textOf(fromStdout) }),
    );
  });
}

function textOf(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString('utf8');
}

interface Manifest {
  readonly bin: string | Readonly<Record<string, string>>;
}
