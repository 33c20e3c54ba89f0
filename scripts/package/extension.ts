import { join } from 'node:path';
import { product } from '../../protocol/product.ts';
import { runTool } from '../build/tools.ts';

/** Bound of the .vsix in kB (1,000 bytes), from DESIGN.md's Speed table. */
export const maxVsixKilobytes = 1_800;

/** Packs the VS Code extension from dist/ into `folder` and returns the path of the .vsix. Throws with vsce's own message. */
export async function packExtension(folder: string): Promise<string> {
  const file = join(folder, `${product.name}-${product.version}.vsix`);
  // Everything is bundled, so vsce must not look for dependencies.
  const { exitCode, output } = await runTool('@vscode/vsce', ['package', '--no-dependencies', '--out', file], 'vsce');
  if (exitCode !== 0) throw new Error(`vsce could not pack the extension:\n${output}`);
  return file;
}
