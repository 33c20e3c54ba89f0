// Takes desktop VS Code's command line and obeys it with VS Code's server and a browser without a window.
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from './chromium.ts';
import { type DesktopArguments, parseDesktopArguments } from './desktopArguments.ts';
import { ensureHost } from './install.ts';
import { makeProfile, type Profile, quietSettings, removeProfile } from './profile.ts';
import { runServerCommand, type Server, startServer } from './server.ts';
import { openWorkbench } from './workbench.ts';

const limitMilliseconds = Number(process.env['CONTEXT_LIFECYCLE_TEST_LIMIT'] ?? 600_000);

const args = parseDesktopArguments(process.argv.slice(2));
const profile = makeProfile(args);
let server: Server | undefined;
let browser: Browser | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void stop().then(() => process.exit(130)));

let code = 1;
try {
  ensureHost();
  code = args.serverCommand.length > 0 ? await runCommand() : await runInWorkbench(args, profile);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
await stop();
process.exit(code);

async function stop(): Promise<void> {
  await browser?.close().catch(() => undefined);
  await server?.stop();
  removeProfile(profile);
}

async function runCommand(): Promise<number> {
  const result = await runServerCommand(profile, args.serverCommand);
  process.stdout.write(result.output);
  return result.code;
}

async function runInWorkbench(
  { open, testModule, ...rest }: DesktopArguments,
  { userData, folder }: Profile,
): Promise<number> {
  const [first] = open;
  const isFile = first !== undefined && !first.endsWith('.code-workspace') && statSync(first).isFile();
  const output = join(folder, 'output.txt');
  writeFileSync(output, '');
  writeFileSync(join(userData, 'User/settings.json'), JSON.stringify(quietSettings));
  const environment = testModule
    ? { CONTEXT_LIFECYCLE_TEST_OUTPUT: output, CONTEXT_LIFECYCLE_TEST_MODULE: testModule }
    : {};
  server = await startServer(profile, { environment });
  const opened = await openBrowser();
  browser = opened.browser;
  const page = await opened.context.newPage();
  const forward = forwardNewText(output);
  const timer = setInterval(forward, 100);
  const ended = new Promise<void>((resolve, reject) => {
    setTimeout(
      () => reject(new Error(`The tests gave no result within ${limitMilliseconds} ms.`)),
      limitMilliseconds,
    ).unref();
    page.on('crash', () => reject(new Error("VS Code's page crashed.")));
    opened.browser.on('disconnected', () => reject(new Error('The browser ended.')));
    // the workbench calls this function, if there is one, when the extension host has run the tests or has died
    page.exposeFunction('codeAutomationExit', () => resolve()).catch(reject);
  });
  ended.catch(() => undefined);
  await openWorkbench(page, server, {
    ...(isFile ? { file: first } : { workspace: first }),
    developedExtensions: rest.developedExtensions,
    disableInstalledExtensions: rest.disableInstalledExtensions,
    testModule: testModule && join(import.meta.dirname, 'extensionHostEntry.cjs'),
  });
  await ended;
  clearInterval(timer);
  forward();
  return readResult(`${output}.json`) ? 0 : 1;
}

/** A function that prints what was added to a file since its last call. */
function forwardNewText(file: string): () => void {
  let position = 0;
  return () => {
    const handle = openSync(file, 'r');
    const chunk = Buffer.alloc(fstatSync(handle).size - position);
    position += readSync(handle, chunk, 0, chunk.length, position);
    closeSync(handle);
    writeSync(1, chunk);
  };
}

/** Whether the tests passed, in their own words: the page's exit code can be 0 when the extension host died. */
function readResult(file: string): boolean {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).passed === true;
  } catch {
    throw new Error('The extension host ended before the tests gave a result.');
  }
}
