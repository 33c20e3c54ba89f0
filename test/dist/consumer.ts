import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNpm, runProgram, type ToolResult } from '../../scripts/build/tools.ts';
import { type Packages, packAll } from '../../scripts/package.ts';

/** The Node that started npm: what a user has, 20.19 or later. */
const userNode = process.env['npm_node_execpath'] ?? 'node';

/** Somebody's project, with the packed tarball installed in it as npm does it. */
export interface Consumer extends Packages {
  readonly folder: string;
  /** The installed package. */
  readonly installed: string;
  /** Runs the user's Node in the project's folder. */
  run(args: readonly string[]): Promise<ToolResult>;
  remove(): void;
}

/** Packs everything and installs the tarball in a new project, without network. */
export async function makeConsumer(): Promise<Consumer> {
  const folder = mkdtempSync(join(tmpdir(), 'consumer-'));
  const packages = await packAll(join(folder, 'packed'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  const { exitCode, output } = await runNpm(['install', '--offline', '--no-audit', packages.tarball], folder);
  if (exitCode !== 0) throw new Error(`npm could not install the tarball:\n${output}`);
  return {
    ...packages,
    folder,
    installed: join(folder, 'node_modules', 'context-lifecycle'),
    run: args => runProgram(userNode, args, folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
