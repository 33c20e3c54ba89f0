import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { product } from '../../protocol/product.ts';
import { makeTemporaryFolder } from '../../test/host/profile.ts';
import { runTool } from '../build/tools.ts';

/** A click that nobody has to make: VS Code has no setting for the view that a new window shows first. */
const MAIN = `const { commands } = require('vscode');
exports.activate = () => commands.executeCommand('workbench.view.extension.contextLifecycle');
`;

/** Makes an extension for `npm start` alone, which shows our sidebar when the window has started. Gives its folder. */
export function makeSidebarOpener(): string {
  const folder = makeTemporaryFolder('opener');
  const manifest = {
    name: 'open-sidebar',
    publisher: product.publisher,
    version: '0.0.1',
    engines: { vscode: '^1.118.0' },
    main: './main.cjs',
    activationEvents: ['onStartupFinished'],
    extensionDependencies: [`${product.publisher}.${product.name}`],
    files: ['main.cjs'],
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.cjs'), MAIN);
  return folder;
}

/** The same, packed. Throws with vsce's own message. */
export async function packSidebarOpener(): Promise<string> {
  const folder = makeSidebarOpener();
  const file = join(folder, 'opener.vsix');
  const args = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file];
  const { exitCode, output } = await runTool('@vscode/vsce', args, 'vsce', folder);
  if (exitCode !== 0) throw new Error(`vsce could not pack the extension that opens the sidebar:\n${output}`);
  return file;
}
