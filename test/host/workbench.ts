import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import type { Server } from './server.ts';

/** What the workbench opens with. All paths are of this machine. */
export interface WorkbenchOptions {
  /** A folder or a .code-workspace file; without it an empty window. */
  readonly workspace?: string | undefined;
  readonly file?: string | undefined;
  /** Extensions that run from their source folder. */
  readonly developedExtensions?: readonly string[];
  /** CommonJS module whose `run` the extension host calls; the page is told when it ends. */
  readonly testModule?: string | undefined;
  readonly disableInstalledExtensions?: boolean;
}

function workbenchUrl(server: Server, options: WorkbenchOptions): string {
  const url = new URL(`http://127.0.0.1:${server.port}/`);
  const payload: (readonly [string, string])[] = [
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  if (options.disableInstalledExtensions) payload.push(['disableExtensions', 'true']);
  if (options.file) payload.push(['openFile', `vscode-remote://${url.host}${encodeURI(resolve(options.file))}`]);
  const { workspace } = options;
  if (!workspace) url.searchParams.set('ew', 'true');
  else url.searchParams.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', resolve(workspace));
  url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

/** What a page adds to what the server tells the workbench. */
export interface WorkbenchConfiguration {
  readonly developmentOptions?: object;
  readonly additionalBuiltinExtensions?: readonly object[];
}

/** Opens the workbench in a page of our own browser. */
export async function openWorkbench(page: Page, server: Server, options: WorkbenchOptions): Promise<void> {
  const url = workbenchUrl(server, options);
  await page.context().addCookies([{ name: 'vscode-tkn', value: server.token, url }]);
  await configureWorkbench(page, { developmentOptions: developmentOptions(new URL(url).host, options) });
  await page.goto(url);
}

function developmentOptions(authority: string, { developedExtensions = [], testModule }: WorkbenchOptions): object {
  const uri = (path: string) => ({ scheme: 'vscode-remote', authority, path: resolve(path) });
  return {
    ...(developedExtensions.length > 0 ? { extensions: developedExtensions.map(uri) } : {}),
    ...(testModule ? { extensionTestsPath: uri(testModule) } : {}),
  };
}

/**
 * Gives extensions under development, tests and more as an embedder of VS Code gives them, before the page is opened. The
 * switch that allows the same in the address (--enable-smoke-test-driver) also hides notifications and skips dialogs. The
 * page itself cannot be rewritten: Chromium blocks the loopback sockets of a page that did not come from there.
 */
export async function configureWorkbench(page: Page, configuration: WorkbenchConfiguration): Promise<void> {
  await page.addInitScript(addition => {
    // the script runs in the browser, whose types this project does not load
    const { prototype } = (globalThis as unknown as { Element: { prototype: ElementLike } }).Element;
    const original = prototype.getAttribute;
    prototype.getAttribute = function (name) {
      const value = original.call(this, name);
      if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || !value) return value;
      const given = JSON.parse(value) as WorkbenchConfiguration;
      const development = { ...given.developmentOptions, ...addition.developmentOptions };
      return JSON.stringify({ ...given, ...addition, developmentOptions: development });
    };
    interface ElementLike {
      readonly id: string;
      getAttribute(this: ElementLike, name: string): string | null;
    }
  }, configuration);
}
