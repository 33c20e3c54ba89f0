import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A person's home, a project and a folder for our logs, all of them gone after the test. */
export interface PiHome {
  readonly project: string;
  /** The variables that pi starts with, and no other. */
  readonly environment: NodeJS.ProcessEnv;
  /** Writes a file of the project. */
  write(path: string, text: string): string;
  /** Writes a file of pi's folder, which belongs to the person and to no project. */
  writeForUser(path: string, text: string): string;
  /** Everything that pi has stored of its sessions. */
  transcripts(): string;
  remove(): void;
}

/** Providers of the scripted model, which answers the first alone. */
const providerApis = {
  fake: 'openai-completions',
  'fake-responses': 'openai-responses',
  'fake-anthropic': 'anthropic-messages',
  'fake-google': 'google-generative-ai',
};

export function makePiHome(baseUrl: string): PiHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-home-')));
  const project = join(root, 'project');
  const agent = join(root, 'home/.pi/agent');
  const write = (folder: string) => (path: string, text: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const writeForUser = write(agent);
  const providers = Object.fromEntries(
    Object.entries(providerApis).map(([name, api]) => [
      name,
      { baseUrl, api, apiKey: 'dummy', models: [{ id: 'fake-1' }] },
    ]),
  );
  writeForUser('models.json', JSON.stringify({ providers }));
  mkdirSync(project, { recursive: true });
  return {
    project,
    environment: {
      PATH: process.env['PATH'],
      HOME: join(root, 'home'),
      PI_OFFLINE: '1',
      CONTEXT_LIFECYCLE_HOME: join(root, 'lifecycle'),
    },
    write: write(project),
    writeForUser,
    transcripts: () =>
      readdirSync(join(agent, 'sessions'), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.jsonl'))
        .map(name => readFileSync(join(agent, 'sessions', name), 'utf8'))
        .join('\n'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
