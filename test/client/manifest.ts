import { readFileSync } from 'node:fs';
import { filesUnder, inRepository } from '../../scripts/build/paths.ts';

/** The parts of package.json that the tests of this room read. */
export interface Manifest {
  readonly type: string;
  readonly main: string;
  readonly browser: string;
  readonly icon: string;
  readonly keywords: readonly string[];
  readonly categories: readonly string[];
  readonly pricing: string;
  readonly license: string;
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly qna: string;
  readonly extensionKind: readonly string[];
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
    readonly virtualWorkspaces: { readonly supported: string };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command: string; readonly when: string; readonly group?: string }[]>
    >;
    readonly views: Readonly<
      Record<string, readonly { readonly id: string; readonly icon: string; readonly when?: string }[]>
    >;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when: string }[];
    readonly languages: readonly {
      readonly id: string;
      readonly configuration: string;
      readonly extensions?: unknown;
    }[];
    readonly grammars: readonly { readonly path: string; readonly scopeName: string; readonly language?: string }[];
    readonly snippets: readonly { readonly language: string; readonly path: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly id: string;
        readonly description: string;
        readonly media: { readonly svg: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
  };
}

export interface Setting {
  readonly type: string;
  readonly default: unknown;
  readonly scope?: string;
  readonly order?: number;
  readonly markdownDescription?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, { readonly enum: readonly string[]; readonly default: string }>>;
}

export function readText(path: string): string {
  return readFileSync(inRepository(path), 'utf8');
}

export const manifestText = readText('package.json');
export const manifest = JSON.parse(manifestText) as Manifest;
export const nls = JSON.parse(readText('package.nls.json')) as Readonly<Record<string, string>>;

/** The English text that the editor shows for `%key%`; any other text stays. */
export function resolved(text: string): string {
  return text.replace(/^%(.+)%$/, (_, key: string) => nls[key] ?? '');
}

/** The source text of the client, all files after one another. */
export const clientText = filesUnder('client')
  .filter(path => path.endsWith('.ts'))
  .map(path => readText(`client/${path}`))
  .join('\n');
