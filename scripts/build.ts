import { unexpectedImports } from './build/builtins.ts';
import { type Bundle, bundle } from './build/bundles.ts';
import { entries, noticesFile } from './build/entries.ts';
import { noticesOf } from './build/notices.ts';
import { removeStale, writeOutput } from './build/outputs.ts';
import { runAsScript } from './build/runAsScript.ts';
import { emitDeclarations } from './build/types.ts';

/** What a build made, for the line that is printed about it. */
export interface BuiltFile {
  /** Relative to dist/. */
  readonly output: string;
  readonly bytes: number;
  readonly maxKilobytes: number;
}

/**
 * Builds dist/: every bundle of the table, the declarations of protocol/, and the licence notices.
 * Files that nobody builds any more are removed. Throws in one sentence when a bundle is broken or too large.
 */
export async function build(): Promise<readonly BuiltFile[]> {
  const [bundles, declarations] = await Promise.all([Promise.all(entries.map(bundle)), emitDeclarations()]);
  for (const built of bundles) examine(built);
  for (const { entry, code, sourceMap, metafile } of bundles) {
    writeOutput(`dist/${entry.output}`, code, entry.command ? 0o755 : 0o644);
    writeOutput(`dist/${entry.output}.map`, sourceMap);
    writeOutput(`.cache/build/${entry.output}.meta.json`, JSON.stringify(metafile));
  }
  writeOutput(`dist/${noticesFile}`, noticesOf(bundles.map(({ metafile }) => metafile)));
  const outputs = bundles.flatMap(({ entry }) => [entry.output, `${entry.output}.map`]);
  removeStale(new Set([...outputs, ...declarations, noticesFile]));
  return bundles.map(({ entry, code }) => ({
    output: entry.output,
    bytes: Buffer.byteLength(code),
    maxKilobytes: entry.maxKilobytes,
  }));
}

function examine(built: Bundle): void {
  const { output, maxKilobytes } = built.entry;
  const unexpected = unexpectedImports(built);
  if (unexpected.length > 0) {
    throw new Error(`dist/${output} must not import ${unexpected.join(', ')}: what runs it has no such module.`);
  }
  const bytes = Buffer.byteLength(built.code);
  if (bytes > maxKilobytes * 1000) {
    throw new Error(
      `dist/${output} has ${bytes} bytes, more than ${maxKilobytes} kB: look at what came in (.cache/build/${output}.meta.json).`,
    );
  }
}

async function main(): Promise<void> {
  const started = performance.now();
  const files = await build();
  for (const { output, bytes, maxKilobytes } of files) {
    console.log(`dist/${output.padEnd(14)} ${(bytes / 1000).toFixed(1).padStart(7)} kB of ${maxKilobytes}`);
  }
  console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

await runAsScript(import.meta.url, main);
