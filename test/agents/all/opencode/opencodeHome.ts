import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inRepository } from '../../../../scripts/build/paths.ts';

/** What a person loads. */
const shippedPlugin = inRepository('dist/opencode.js');

/** A person's home, a project and a folder for our logs, all of them gone after the test. */
export interface OpencodeHome {
  readonly project: string;
  /** The variables that opencode starts with, and no other. */
  readonly environment: NodeJS.ProcessEnv;
  /** Writes a file of the project. */
  write(path: string, text: string): string;
  /** Writes a file of opencode's folder, which belongs to the person and to no project. */
  writeForUser(path: string, text: string): string;
  /** Everything that opencode has stored of its sessions, as the bytes of its database. */
  database(): string;
  remove(): void;
}

export interface HomeOptions {
  readonly plugin?: string;
  /** More members of opencode.json. */
  readonly config?: object;
}

export function makeOpencodeHome(
  baseUrl: string,
  { plugin = shippedPlugin, config = {} }: HomeOptions = {},
): OpencodeHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'opencode-home-')));
  const project = join(root, 'project');
  const write = (folder: string) => (path: string, text: string) => {
    const file = join(root, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  // findUp of opencode ends at a repository
  mkdirSync(join(project, '.git'), { recursive: true });
  const models = { 'fake-1': { name: 'Fake', limit: { context: 100_000, output: 4096 } } };
  const provider = {
    fake: { npm: '@ai-sdk/openai-compatible', options: { baseURL: baseUrl, apiKey: 'dummy' }, models },
  };
  write('project')(
    'opencode.json',
    JSON.stringify({
      model: 'fake/fake-1',
      small_model: 'fake/fake-1',
      permission: 'allow',
      autoupdate: false,
      share: 'disabled',
      snapshot: false,
      plugin: [`file://${plugin}`],
      provider,
      ...config,
    }),
  );
  return {
    project,
    environment: {
      PATH: process.env['PATH'],
      HOME: join(root, 'home'),
      XDG_DATA_HOME: join(root, 'data'),
      XDG_CONFIG_HOME: join(root, 'config'),
      XDG_CACHE_HOME: join(root, 'cache'),
      XDG_STATE_HOME: join(root, 'state'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      CONTEXT_LIFECYCLE_HOME: join(root, 'lifecycle'),
      // at its first start it installs a package into its folder, and goes on without it
      npm_config_offline: 'true',
      npm_config_registry: 'http://127.0.0.1:1/',
    },
    write: write('project'),
    writeForUser: write('config/opencode'),
    database: () => {
      const folder = join(root, 'data/opencode');
      return readdirSync(folder)
        .filter(name => name.startsWith('opencode.db'))
        .map(name => readFileSync(join(folder, name), 'latin1'))
        .join('\n');
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}
