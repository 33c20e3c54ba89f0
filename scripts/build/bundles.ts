import { readFileSync } from 'node:fs';
import { type BuildOptions, build as esbuild, formatMessages, type Metafile } from 'esbuild';
import type { Entry } from './entries.ts';
import { oneHttpParser } from './oneHttpParser.ts';
import { packedVocabulary } from './packedVocabulary.ts';
import { inRepository, repository } from './paths.ts';
import { shortenNames } from './shorten.ts';

/** A bundle that is ready to be written. */
export interface Bundle {
  readonly entry: Entry;
  readonly code: string;
  readonly sourceMap: string;
  readonly metafile: Metafile;
}

const hostVersion = inRepository('scripts/build/hostVersion.cjs');
const shebang = '#!/usr/bin/env node\n';

/** The libraries that are CommonJS inside call `require` for Node's built-ins, which an ES module does not have. */
const requireForCommonJs =
  "import { createRequire as createRequireOfBundle } from 'node:module';\n" +
  'const require = createRequireOfBundle(import.meta.url);\n';

/** Bundles one entry in memory. A warning of esbuild is an error here: it always meant a broken bundle. */
export async function bundle(entry: Entry): Promise<Bundle> {
  const result = await esbuild(optionsOf(entry));
  if (result.warnings.length > 0) {
    const messages = await formatMessages(result.warnings, { kind: 'warning', terminalWidth: 120 });
    throw new Error(`esbuild warns about dist/${entry.output}:\n${messages.join('\n')}`);
  }
  const code = result.outputFiles.find(file => !file.path.endsWith('.map'));
  const sourceMap = result.outputFiles.find(file => file.path.endsWith('.map'));
  if (code === undefined || sourceMap === undefined) throw new Error(`esbuild wrote no dist/${entry.output}.`);
  const built = { code: code.text, map: sourceMap.text };
  const shipped = entry.library ? built : await shortenNames(built, entry.format);
  return { entry, code: shipped.code, sourceMap: shipped.map, metafile: result.metafile };
}

function optionsOf(entry: Entry) {
  return {
    absWorkingDir: repository,
    entryPoints: [entry.source],
    outfile: `dist/${entry.output}`,
    bundle: true,
    format: entry.format,
    platform: entry.runsOn,
    // UMD `main` files hide their imports from a bundler; the ES module of the same library does not.
    mainFields: entry.runsOn === 'browser' ? ['browser', 'module', 'main'] : ['module', 'main'],
    target: entry.runsOn === 'node' ? 'node20.19' : 'es2023',
    external: [...entry.external],
    alias: { 'semver/functions/parse': hostVersion, 'semver/functions/satisfies': hostVersion },
    plugins: [oneHttpParser, packedVocabulary],
    banner: { js: bannerOf(entry) },
    // Whoever builds on a library reads its names in stack traces.
    minify: !entry.library,
    // Beside the bundle but named by no comment in it: packages hold no maps.
    sourcemap: 'external',
    metafile: true,
    // The licences are in THIRD-PARTY-NOTICES.txt.
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
  } as const satisfies BuildOptions;
}

function bannerOf(entry: Entry): string {
  const banner = entry.format === 'esm' && entry.runsOn === 'node' ? requireForCommonJs : '';
  // esbuild keeps a shebang that the source has.
  const needsShebang = entry.command && !readFileSync(inRepository(entry.source), 'utf8').startsWith('#!');
  return needsShebang ? shebang + banner : banner;
}
