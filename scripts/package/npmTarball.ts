import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRepository, repository } from '../build/paths.ts';
import { runNpm } from '../build/tools.ts';
import { type Manifest, npmManifest } from './npmManifest.ts';

/**
 * Packs the npm package from dist/ into `folder` and returns the path of the tarball. npm itself picks the files by
 * .npmignore; they are staged beside a manifest for users, and packed there.
 */
export async function packNpmTarball(folder: string): Promise<string> {
  const stage = join(folder, 'npm');
  rmSync(stage, { recursive: true, force: true });
  for (const path of await allowedFiles()) {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    cpSync(inRepository(path), join(stage, path));
  }
  const manifest = npmManifest(readJson('package.json'), readJson('package.nls.json') as Record<string, string>);
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const [packed] = await npmPack(['--pack-destination', folder], stage);
  if (packed === undefined) throw new Error('npm packed nothing; its version may be too old.');
  return join(folder, packed.filename);
}

async function allowedFiles(): Promise<readonly string[]> {
  const [packed] = await npmPack(['--dry-run'], repository);
  if (packed === undefined) throw new Error('npm listed no file to pack; look at .npmignore.');
  return packed.files.map(file => file.path);
}

interface PackedFile {
  readonly path: string;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly PackedFile[];
}

/** Runs `npm pack`. Rejects with npm's own message when it fails. */
async function npmPack(args: readonly string[], cwd: string): Promise<readonly Packed[]> {
  const result = await runNpm(['pack', '--json', '--ignore-scripts', '--loglevel=error', ...args], cwd);
  if (result.exitCode !== 0) throw new Error(`npm could not pack:\n${result.output}`);
  return JSON.parse(result.stdout) as Packed[];
}

function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(inRepository(path), 'utf8')) as Manifest;
}
