import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Page } from 'playwright-core';
import { openBrowser } from './chromium.ts';
import type { Profile } from './profile.ts';
import { type ServerOptions, startServer } from './server.ts';
import { openWorkbench, type WorkbenchOptions } from './workbench.ts';

const limitMilliseconds = Number(process.env['CONTEXT_LIFECYCLE_TEST_LIMIT'] ?? 600_000);
const forwardMilliseconds = 100;

export interface TestRun extends WorkbenchOptions, ServerOptions {
  /** CommonJS module that exports `run`, which rejects when a test fails. */
  readonly testModule: string;
  /** Gets what the tests print, as they print it. */
  readonly print: (text: string) => void;
  /** Looks at the window while the tests run; its failure fails the run. */
  readonly watch?: (page: Page) => Promise<void>;
}

/**
 * Runs a module inside the extension host of a VS Code of its own, and stops that VS Code. Returns whether the module passed.
 * @throws {Error} when VS Code, its window or its extension host ended before the module gave a result
 */
export async function runInExtensionHost(profile: Profile, run: TestRun): Promise<boolean> {
  const output = join(profile.folder, 'output.txt');
  writeFileSync(output, '');
  const environment = {
    ...run.environment,
    CONTEXT_LIFECYCLE_TEST_OUTPUT: output,
    CONTEXT_LIFECYCLE_TEST_MODULE: run.testModule,
  };
  const server = await startServer(profile, { ...run, environment });
  const forward = forwardNewText(output, run.print);
  const timer = setInterval(forward, forwardMilliseconds);
  try {
    const { browser, context } = await openBrowser();
    try {
      const page = await context.newPage();
      const [ended] = await Promise.all([
        untilTestsEnded(page),
        openWorkbench(page, server, { ...run, testModule: join(import.meta.dirname, 'extensionHostEntry.cjs') }),
        run.watch?.(page),
      ]);
      return ended && readResult(`${output}.json`);
    } finally {
      await browser.close();
    }
  } finally {
    clearInterval(timer);
    forward();
    await server.stop();
  }
}

/** The workbench calls a function of this name, if there is one, when the extension host has run the tests or has died. */
function untilTestsEnded(page: Page): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new Error(`The tests gave no result within ${limitMilliseconds / 1000} s.`)),
      limitMilliseconds,
    );
    limit.unref();
    page.on('crash', () => reject(new Error("VS Code's page crashed.")));
    page.on('close', () => reject(new Error('The browser ended before the tests did.')));
    page.exposeFunction('codeAutomationExit', () => resolve(true)).catch(reject);
  });
}

/** A function that prints what was added to a file since its last call. */
function forwardNewText(file: string, print: (text: string) => void): () => void {
  let position = 0;
  // a character may be written half when we read
  const decoder = new StringDecoder('utf8');
  return () => {
    const handle = openSync(file, 'r');
    const chunk = Buffer.alloc(fstatSync(handle).size - position);
    position += readSync(handle, chunk, 0, chunk.length, position);
    closeSync(handle);
    if (chunk.length > 0) print(decoder.write(chunk));
  };
}

/** Whether the tests passed, in their own words: the window is told the same when the extension host died. */
function readResult(file: string): boolean {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { passed: boolean }).passed;
  } catch {
    throw new Error('The extension host ended before the tests gave a result.');
  }
}
