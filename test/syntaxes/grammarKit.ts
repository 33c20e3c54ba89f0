import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseJsonc } from 'jsonc-parser';
import oniguruma from 'vscode-oniguruma';
import textmate, {
  type IGrammar,
  type IOnigLib,
  type IRawGrammar,
  type IRawTheme,
  type OnigScanner,
} from 'vscode-textmate';

const root = fileURLToPath(new URL('../..', import.meta.url));
const builtIn = join(root, 'test/host/node_modules/code-server/lib/vscode/extensions');

/** What a manifest says of one grammar. */
interface GrammarContribution {
  readonly scopeName: string;
  readonly path: string;
  readonly language?: string;
  readonly injectTo?: readonly string[];
}

interface Manifest {
  readonly contributes?: {
    readonly grammars?: readonly GrammarContribution[];
    readonly themes?: readonly { readonly path: string }[];
  };
}

/** The extensions that VS Code brings along, and ours. */
function extensionFolders(): readonly string[] {
  if (!existsSync(builtIn)) {
    throw new Error(
      'The test host is not installed, so there is no Markdown grammar to test with. Run `npm test` once.',
    );
  }
  return [...readdirSync(builtIn).map(name => join(builtIn, name)), root];
}

function manifestOf(folder: string): Manifest {
  const path = join(folder, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : {};
}

const grammarPaths = new Map<string, string>();
const injections = new Map<string, string[]>();
for (const folder of extensionFolders()) {
  for (const { scopeName, path, injectTo = [] } of manifestOf(folder).contributes?.grammars ?? []) {
    grammarPaths.set(scopeName, join(folder, path));
    for (const target of injectTo) {
      injections.set(target, [...(injections.get(target) ?? []), scopeName]);
    }
  }
}

/** As VS Code does: a grammar gets what is injected into its scope name and into every prefix of it. */
function injectionsOf(scopeName: string): string[] {
  const parts = scopeName.split('.');
  return parts.flatMap((_, index) => injections.get(parts.slice(0, index + 1).join('.')) ?? []);
}

/** How often a scanner of our own grammars was asked for a match. */
export interface ScanWork {
  calls: number;
}

let wasm: Promise<void> | undefined;

async function onigLib(work: ScanWork | undefined): Promise<IOnigLib> {
  wasm ??= oniguruma.loadWASM(readFileSync(fileURLToPath(import.meta.resolve('vscode-oniguruma/release/onig.wasm'))));
  await wasm;
  return {
    createOnigScanner: patterns => {
      const scanner: OnigScanner = new oniguruma.OnigScanner(patterns);
      if (!work || !patterns.some(pattern => pattern.includes('BLOCK_ID'))) {
        return scanner;
      }
      return {
        findNextMatchSync: (text, start, options) => {
          work.calls++;
          return scanner.findNextMatchSync(text, start, options);
        },
        dispose: () => scanner.dispose?.(),
      };
    },
    createOnigString: text => new oniguruma.OnigString(text),
  };
}

export interface GrammarOptions {
  readonly theme?: IRawTheme;
  readonly work?: ScanWork;
  /** Grammars of ours to leave out. */
  readonly without?: readonly string[];
}

/** VS Code's own grammar of `scopeName` with all that our manifest injects into it. */
export async function loadGrammar(scopeName: string, options: GrammarOptions = {}): Promise<LoadedGrammar> {
  const registry = new textmate.Registry({
    onigLib: onigLib(options.work),
    ...(options.theme && { theme: options.theme }),
    getInjections: name => injectionsOf(name).filter(injection => !options.without?.includes(injection)),
    loadGrammar: async name => readGrammar(name),
  });
  const grammar = await registry.loadGrammar(scopeName);
  if (!grammar) {
    throw new Error(`No grammar has the scope name ${scopeName}.`);
  }
  return { grammar, colours: () => registry.getColorMap() };
}

export interface LoadedGrammar {
  readonly grammar: IGrammar;
  /** The theme's colours by the number that tokens carry. */
  colours(): readonly string[];
}

function readGrammar(scopeName: string): IRawGrammar | null {
  const path = grammarPaths.get(scopeName);
  return path === undefined ? null : textmate.parseRawGrammar(readFileSync(path, 'utf8'), path);
}

/** One coloured stretch of a line. */
export interface Token {
  readonly text: string;
  readonly scopes: readonly string[];
}

/** The tokens of each line; lines end as in VS Code's text model. */
export function tokenize({ grammar }: LoadedGrammar, text: string): readonly (readonly Token[])[] {
  let state: textmate.StateStack | null = null;
  return text.split(/\r\n|\r|\n/).map(line => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      scopes,
    }));
  });
}

/** A foreground colour and font style for each stretch of the last line of `text`. */
export function colourLastLine(
  { grammar, colours }: LoadedGrammar,
  text: string,
): readonly { readonly text: string; readonly look: string }[] {
  const lines = text.split('\n');
  const line = lines.pop() ?? '';
  let state: textmate.StateStack | null = null;
  for (const earlier of lines) {
    state = grammar.tokenizeLine2(earlier, state).ruleStack;
  }
  const { tokens } = grammar.tokenizeLine2(line, state);
  const map = colours();
  return Array.from({ length: tokens.length / 2 }, (_, index) => {
    const metadata = tokens[2 * index + 1] ?? 0;
    const stretch = line.slice(tokens[2 * index], tokens[2 * index + 2]);
    return { text: stretch, look: `${map[(metadata & 0xff8000) >>> 15]} ${(metadata & 0x7800) >>> 11}` };
  });
}

/** Every colour theme that VS Code ships, with what it includes. */
export function builtInThemes(): readonly { readonly file: string; readonly theme: IRawTheme }[] {
  return extensionFolders().flatMap(folder =>
    (manifestOf(folder).contributes?.themes ?? [])
      .filter(({ path }) => path.endsWith('.json'))
      .map(({ path }) => ({ file: basename(path), theme: { settings: themeRules(join(folder, path)) } })),
  );
}

interface RawTheme {
  readonly include?: string;
  readonly colors?: Readonly<Record<string, string>>;
  readonly tokenColors?: IRawTheme['settings'];
}

function themeRules(path: string): IRawTheme['settings'] {
  const { include, colors, tokenColors = [] } = parseJsonc(readFileSync(path, 'utf8')) as RawTheme;
  const inherited = include === undefined ? [] : themeRules(join(path, '..', include));
  const foreground = colors?.['editor.foreground'];
  return [...inherited, ...(foreground === undefined ? [] : [{ settings: { foreground } }]), ...tokenColors];
}
