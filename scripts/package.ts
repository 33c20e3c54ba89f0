import { mkdirSync, statSync } from 'node:fs';
import { inRepository, shortPath } from './build/paths.ts';
import { runAsScript } from './build/runAsScript.ts';
import { build } from './build.ts';
import { maxVsixKilobytes, packExtension } from './package/extension.ts';
import { packNpmTarball } from './package/npmTarball.ts';

/** Absolute paths of what is published. */
export interface Packages {
  readonly vsix: string;
  readonly tarball: string;
}

/**
 * Builds dist/ and packs the .vsix and the npm tarball into `folder`.
 * Throws in one sentence when the .vsix is larger than its bound.
 */
export async function packAll(folder = inRepository('.cache', 'package')): Promise<Packages> {
  await build();
  mkdirSync(folder, { recursive: true });
  const packages = { vsix: await packExtension(folder), tarball: await packNpmTarball(folder) };
  const bytes = statSync(packages.vsix).size;
  if (bytes > maxVsixKilobytes * 1000) {
    throw new Error(`The .vsix has ${bytes} bytes, more than ${maxVsixKilobytes} kB; look at what came in.`);
  }
  return packages;
}

await runAsScript(import.meta.url, async () => {
  const { vsix, tarball } = await packAll();
  for (const file of [vsix, tarball]) {
    console.log(`${shortPath(file)} ${(statSync(file).size / 1000).toFixed(1)} kB`);
  }
});
