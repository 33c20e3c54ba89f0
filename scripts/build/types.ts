import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entries } from './entries.ts';
import { writeOutput } from './outputs.ts';
import { filesUnder, inRepository, repository } from './paths.ts';
import { runTool } from './tools.ts';

/** Where the compiler leaves the declarations of the other rooms. */
const compiled = '.cache/types';
const relativeImport = /\bfrom\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;

/**
 * Emits the declarations of what programs import into dist/types and returns their paths relative to dist/: all of protocol/,
 * and what the entries in other rooms need. They keep their `.ts` import specifiers, which TypeScript 5.0 and later resolves to
 * the `.d.ts` beside them. Throws with the compiler's messages when a room has a type error.
 */
export async function emitDeclarations(): Promise<readonly string[]> {
  const core = filesUnder('protocol').filter(path => path.endsWith('.ts'));
  const outputs = core.map(source => `types/protocol/${declarationOf(source)}`);
  // The compiler looks at its build record only; it does not notice that a file of dist/ was deleted.
  const complete = outputs.every(output => existsSync(inRepository('dist', output)));
  await compile('protocol', complete ? [] : ['--force']);
  const others = entries.filter(({ library, source }) => library && !source.startsWith('protocol/'));
  if (others.length === 0) return outputs;
  await compile('adapter', existsSync(inRepository(compiled, 'adapter')) ? [] : ['--force']);
  const needed = neededDeclarations(others.map(({ source }) => declarationOf(source)));
  for (const path of needed) writeOutput(`dist/types/${path}`, readFileSync(inRepository(compiled, path), 'utf8'));
  return [...outputs, ...[...needed].map(path => `types/${path}`)];
}

async function compile(room: string, options: readonly string[]): Promise<void> {
  const result = await runTool('typescript', ['-b', ...options, `${repository}/${room}`], 'tsc');
  if (result.exitCode !== 0) throw new Error(`The declarations of ${room}/ cannot be emitted:\n${result.output}`);
}

/** Declarations outside protocol/ that these import, themselves included; relative to the repository. */
function neededDeclarations(roots: readonly string[]): ReadonlySet<string> {
  const needed = new Set(roots);
  for (const path of needed) {
    for (const [, from, inline] of readFileSync(inRepository(compiled, path), 'utf8').matchAll(relativeImport)) {
      const imported = declarationOf(join(dirname(path), from ?? inline ?? '').replaceAll('\\', '/'));
      if (!imported.startsWith('protocol/')) needed.add(imported);
    }
  }
  return needed;
}

function declarationOf(source: string): string {
  return source.replace(/\.ts$/, '.d.ts');
}
