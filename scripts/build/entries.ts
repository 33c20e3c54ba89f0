import { product } from '../../protocol/product.ts';

/** One file of dist/: where it starts, what runs it, and how large it may grow. */
export interface Entry {
  /** Relative to the repository. */
  readonly source: string;
  /** Name of the file in dist/. */
  readonly output: string;
  /** `iife` is a classic worker script; `cjs` is what both of VS Code's extension hosts load. */
  readonly format: 'cjs' | 'esm' | 'iife';
  /** `neutral` files run anywhere and may not name a Node built-in, as `browser` files may not. */
  readonly runsOn: 'node' | 'browser' | 'neutral';
  /** Modules that the host provides. */
  readonly external: readonly string[];
  /** Started as a command: begins with a shebang. */
  readonly command: boolean;
  /** Imported by programs: its declarations are shipped. */
  readonly library: boolean;
  /** Bound of the minified file in kB (1,000 bytes): the size when it was last looked at plus a tenth. */
  readonly maxKilobytes: number;
}

const shared = { external: [], command: false, library: false } as const;

/** The only place where a bundle is declared: build, packages, size bounds and knip's entries follow it. */
export const entries: readonly Entry[] = [
  {
    ...shared,
    source: 'client/nodeMain.ts',
    output: 'client.cjs',
    format: 'cjs',
    runsOn: 'node',
    external: ['vscode'],
    maxKilobytes: 695,
  },
  {
    ...shared,
    source: 'client/browserMain.ts',
    // The web worker host takes an entry of a `"type": "module"` package for an ES module, which it cannot load, unless it ends in .cjs.
    output: 'client.web.cjs',
    format: 'cjs',
    runsOn: 'browser',
    external: ['vscode'],
    maxKilobytes: 465,
  },
  {
    ...shared,
    // The page of a budget's tab, which the extension shows in a webview.
    source: 'client/budget/page/main.ts',
    output: 'budgetPage.js',
    format: 'iife',
    runsOn: 'browser',
    maxKilobytes: 20,
  },
  {
    ...shared,
    source: 'server/nodeMain.ts',
    output: 'server.js',
    format: 'esm',
    runsOn: 'node',
    command: true,
    maxKilobytes: 375,
  },
  {
    ...shared,
    source: 'server/browserMain.ts',
    output: 'server.web.js',
    format: 'iife',
    runsOn: 'browser',
    maxKilobytes: 355,
  },
  {
    ...shared,
    // Half of it is the gateway with its HTTP client (undici), which only the command gateway runs.
    source: 'cli/main.ts',
    output: 'cli.js',
    format: 'esm',
    runsOn: 'node',
    command: true,
    maxKilobytes: 995,
  },
  {
    ...shared,
    source: 'protocol/index.ts',
    output: 'protocol.js',
    format: 'esm',
    runsOn: 'neutral',
    library: true,
    maxKilobytes: 345,
  },
  {
    ...shared,
    source: 'adapter/index.ts',
    output: 'adapter.js',
    format: 'esm',
    runsOn: 'node',
    library: true,
    maxKilobytes: 800,
  },
  {
    ...shared,
    // `pi -e dist/pi.js`
    source: 'adapter/agents/pi/main.ts',
    output: 'pi.js',
    format: 'esm',
    runsOn: 'node',
    library: true,
    maxKilobytes: 835,
  },
  {
    ...shared,
    // `"plugin": ["file:///path/to/dist/opencode.js"]` in opencode.json
    source: 'adapter/agents/opencode/main.ts',
    output: 'opencode.js',
    format: 'esm',
    runsOn: 'node',
    library: true,
    maxKilobytes: 840,
  },
  {
    ...shared,
    source: 'adapter/agents/aiSdk/main.ts',
    output: 'aiSdk.js',
    format: 'esm',
    runsOn: 'node',
    library: true,
    maxKilobytes: 825,
  },
  {
    ...shared,
    // Nearly all of it is the vocabulary. Whoever counts looks for it beside its own bundle.
    source: 'adapter/tokens/tokenWorker.ts',
    output: 'tokenWorker.js',
    format: 'esm',
    runsOn: 'node',
    maxKilobytes: 1_240,
  },
];

/** Licence texts of everything that esbuild took from node_modules. */
export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/** Shown above the licence texts. */
export const noticesTitle = `${product.displayName} contains the following software of other authors.`;
