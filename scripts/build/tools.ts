import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository, repository } from './paths.ts';

/** How a tool ended; `output` is both of its streams in the order they came. */
export interface ToolResult {
  readonly exitCode: number;
  readonly output: string;
}

/**
 * Runs the command `name` of an installed package with the Node that runs this script, in the repository's folder.
 * Going through the package's own file and not through `.bin` works alike on Windows.
 */
export function runTool(packageName: string, args: readonly string[], name = packageName): Promise<ToolResult> {
  const folder = inRepository('node_modules', packageName);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[name];
  if (file === undefined) throw new Error(`The package ${packageName} has no command ${name}.`);
  return runNode([join(folder, file), ...args]);
}

/** Runs Node with `args` in the repository's folder (or in `cwd`) and collects what it prints. */
export function runNode(args: readonly string[], cwd = repository): Promise<ToolResult> {
  return runProgram(process.execPath, args, cwd);
}

/** Runs a program and collects what it prints. Rejects when it cannot be started at all. */
export function runProgram(program: string, args: readonly string[], cwd = repository): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('error', reject);
    child.on('close', exitCode => resolve({ exitCode: exitCode ?? 1, output: Buffer.concat(pieces).toString('utf8') }));
  });
}

interface Manifest {
  readonly bin: string | Readonly<Record<string, string>>;
}
