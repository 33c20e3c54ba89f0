import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { inRepository } from '../../scripts/build/paths.ts';
import { openBrowser } from '../host/chromium.ts';
import { ensureHost } from '../host/install.ts';
import { makeProfile, makeTemporaryFolder, writeSettings } from '../host/profile.ts';
import { type Server, startServer } from '../host/server.ts';
import { configureWorkbench, openWorkbench } from '../host/workbench.ts';

let extension: HttpServer;
let server: Server;
let browser: Browser;
let page: Page;

before(async () => {
  ensureHost();
  extension = await serveRepository();
  const profile = makeProfile();
  writeSettings(profile);
  server = await startServer(profile);
  // the workbench's own policy forbids scripts of another address
  const opened = await openBrowser({ bypassCSP: true });
  browser = opened.browser;
  page = await opened.context.newPage();
  page.setDefaultTimeout(30_000);
  // one more built-in extension, which the workbench can only run in its own worker
  const authority = `127.0.0.1:${(extension.address() as AddressInfo).port}`;
  await configureWorkbench(page, { additionalBuiltinExtensions: [{ scheme: 'http', authority, path: '/' }] });
});

after(async () => {
  await browser?.close();
  await server?.stop();
  extension?.close();
});

test("editor-bugs I: in a browser's extension host the server is a worker that reads files through the client", {
  timeout: 120_000,
}, async () => {
  const workspace = join(makeTemporaryFolder('web'), 'project');
  cpSync(inRepository('test/fixtures/ui'), workspace, { recursive: true });
  await openWorkbench(page, server, { workspace, file: join(workspace, 'mistakes.md') });
  await page.locator('.squiggly-error').first().waitFor({ timeout: 90_000 });
  await page.getByRole('tab', { name: /^Context Lifecycle/ }).click();
  const rows = page.locator('.part.sidebar').getByRole('treeitem');
  await rows.filter({ hasText: 'conflict' }).first().waitFor();
  await page.screenshot({ path: inRepository('.cache/screenshots/18-browser-host.png') });
  const spoken = await Promise.all((await rows.all()).map(row => row.getAttribute('aria-label')));
  const names = spoken.map(label => /^(?:Source|Block) '?([\w.-]+)/.exec(label ?? '')?.[1]);
  assert.deepEqual(names, ['AGENTS.md', 'style', 'release-notes', 'more.context.md', 'style']);
});

/** Serves the extension's files, as the store's address does for the web. */
async function serveRepository(): Promise<HttpServer> {
  const served = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (pathname.endsWith('js')) {
      response.setHeader('content-type', 'text/javascript');
    }
    readFile(inRepository(`.${pathname}`)).then(
      content => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>(resolve => {
    served.listen(0, '127.0.0.1', resolve);
  });
  return served;
}
