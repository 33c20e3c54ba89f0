import { isBuiltin } from 'node:module';
import type { Bundle } from './bundles.ts';

/**
 * The modules that a bundle asks its host for and that its entry does not list: for a file that runs in a browser, a Node
 * built-in that slipped in through a library. Node's own are allowed where Node runs the file.
 */
export function unexpectedImports(bundle: Bundle): readonly string[] {
  const { entry, metafile } = bundle;
  return Object.values(metafile.outputs)
    .flatMap(output => output.imports)
    .filter(imported => imported.external === true && !entry.external.includes(imported.path))
    .filter(imported => !(entry.runsOn === 'node' && isBuiltin(imported.path)))
    .map(imported => imported.path);
}
