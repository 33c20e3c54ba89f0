import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const placesOutsideThePath = [
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * The browser to use: CHROMIUM_PATH, else one on PATH or in a usual place.
 * @throws {Error} one sentence that says how to get one
 */
export function findChromium(): string {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH names ${chosen}, which does not exist: set it to a Chromium or Chrome program.`);
  }
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap(folder => commands.map(name => join(folder, name)));
  const found = [...onPath, ...placesOutsideThePath].find(place => existsSync(place));
  if (found) return found;
  throw new Error(
    'No Chromium was found: install one (Debian and Ubuntu: apt-get install chromium), or set CHROMIUM_PATH to a Chromium or Chrome program.',
  );
}

/** Starts a browser without a window that reaches nothing but this machine. */
export async function openBrowser(
  options: Pick<BrowserContextOptions, 'bypassCSP'> = {},
): Promise<{ readonly browser: Browser; readonly context: BrowserContext }> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      // containers and root have no sandbox; only our own workbench is opened
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const context = await browser.newContext({
    ...options,
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const isRemote = (url: URL) => /^(https?|wss?):$/.test(url.protocol) && url.hostname !== '127.0.0.1';
  await context.route(isRemote, route => route.abort());
  return { browser, context };
}
