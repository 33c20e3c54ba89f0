// Takes desktop VS Code's command line and obeys it with VS Code's server and a browser without a window.
import { statSync, writeSync } from 'node:fs';
import { parseDesktopArguments } from './desktopArguments.ts';
import { ensureHost } from './install.ts';
import { makeProfile, writeSettings } from './profile.ts';
import { runServerCommand } from './server.ts';
import { runInExtensionHost } from './testRun.ts';

try {
  ensureHost();
  process.exitCode = await obey(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function obey(words: readonly string[]): Promise<number> {
  const { open, serverCommand, testModule, ...rest } = parseDesktopArguments(words);
  const profile = makeProfile(rest);
  if (serverCommand.length > 0) {
    const { code, output } = await runServerCommand(profile, serverCommand);
    process.stdout.write(output);
    return code;
  }
  if (!testModule) throw new Error('Say which tests to run: --extensionTestsPath=<module>.');
  if (!rest.userData) writeSettings(profile);
  const [first] = open;
  const isFile = first !== undefined && !first.endsWith('.code-workspace') && statSync(first).isFile();
  const passed = await runInExtensionHost(profile, {
    ...(isFile ? { file: first } : { workspace: first }),
    ...rest,
    testModule,
    print: text => writeSync(1, text),
  });
  return passed ? 0 : 1;
}
