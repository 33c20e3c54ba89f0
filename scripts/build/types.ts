import { existsSync } from 'node:fs';
import { filesUnder, inRepository, repository } from './paths.ts';
import { runTool } from './tools.ts';

/**
 * Emits the declarations of protocol/ into dist/types and returns their paths relative to dist/.
 * They keep their `.ts` import specifiers, which TypeScript 5.0 and later resolves to the `.d.ts` beside them.
 * Throws with the compiler's messages when the room has a type error.
 */
export async function emitDeclarations(): Promise<readonly string[]> {
  const sources = filesUnder('protocol').filter(path => path.endsWith('.ts'));
  const outputs = sources.map(source => `types/${source.replace(/\.ts$/, '.d.ts')}`);
  // The compiler looks at its build record only; it does not notice that a file of dist/ was deleted.
  const complete = outputs.every(output => existsSync(inRepository('dist', output)));
  const result = await runTool('typescript', ['-b', ...(complete ? [] : ['--force']), `${repository}/protocol`], 'tsc');
  if (result.exitCode !== 0) throw new Error(`The declarations of protocol/ cannot be emitted:\n${result.output}`);
  return outputs;
}
