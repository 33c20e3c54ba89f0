#!/usr/bin/env node
// @vscode/test-electron starts this file as it would start desktop VS Code, with the Node that is first on PATH.
if (!process.features.typescript) {
  console.error(`The test host needs Node 22.18 or newer (this is ${process.version}): start it through npm test.`);
  process.exit(1);
}
await import('./commandLine.ts');
