import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The part of desktop VS Code's command line that has a meaning here. */
export interface DesktopArguments {
  /** Folders, .code-workspace files and files to open. */
  readonly open: readonly string[];
  readonly developedExtensions: readonly string[];
  readonly testModule?: string | undefined;
  readonly userData?: string | undefined;
  readonly extensions?: string | undefined;
  readonly disableInstalledExtensions: boolean;
  /** Switches that VS Code's server answers by itself, without opening anything. */
  readonly serverCommand: readonly string[];
}

const withValue = { type: 'string', multiple: true } as const;
const alone = { type: 'boolean' } as const;

const known = {
  extensionDevelopmentPath: withValue,
  extensionTestsPath: withValue,
  'user-data-dir': withValue,
  'extensions-dir': withValue,
  'folder-uri': withValue,
  'file-uri': withValue,
  'install-extension': withValue,
  'uninstall-extension': withValue,
  'disable-extensions': alone,
  'list-extensions': alone,
  'show-versions': alone,
  force: alone,
  version: alone,
} as const;

/** Reads desktop VS Code's command line; switches that only a desktop program knows are ignored. */
export function parseDesktopArguments(args: readonly string[]): DesktopArguments {
  const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true, strict: false });
  const texts = (name: keyof typeof known): readonly string[] => {
    const value = values[name];
    return Array.isArray(value) ? value.filter(item => typeof item === 'string').map(pathOf) : [];
  };
  return {
    open: [...positionals, ...texts('folder-uri'), ...texts('file-uri')],
    developedExtensions: texts('extensionDevelopmentPath'),
    testModule: texts('extensionTestsPath').at(-1),
    userData: texts('user-data-dir').at(-1),
    extensions: texts('extensions-dir').at(-1),
    disableInstalledExtensions: values['disable-extensions'] === true,
    serverCommand: [
      ...texts('install-extension').flatMap(value => ['--install-extension', value]),
      ...texts('uninstall-extension').flatMap(value => ['--uninstall-extension', value]),
      ...(['list-extensions', 'show-versions', 'force', 'version'] as const).flatMap(name =>
        values[name] === true ? [`--${name}`] : [],
      ),
    ],
  };
}

function pathOf(value: string): string {
  return value.startsWith('file://') ? fileURLToPath(value) : value;
}
