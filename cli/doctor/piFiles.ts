import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { agentFolder } from '../../adapter/agents/pi/piFiles.ts';
import { sourceBytes } from '../../adapter/sourceText.ts';
import { listLogs } from '../../local/listLogs.ts';
import { repositoryOf } from '../gitIgnore.ts';

/** pi takes the first of a folder. */
const CONTEXT_FILES = ['AGENTS.override.md', 'AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'] as const;

/** Where pi would have left something. */
interface PiTraces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder of logs. */
  readonly sessions: string;
}

/** Whether pi has run here: it has made its folder, or a session of it has a log. */
export async function wasUsed({ env, home, sessions }: PiTraces): Promise<boolean> {
  if (existsSync(agentFolder(env, home))) {
    return true;
  }
  // A folder that cannot be read is said of the folder.
  const logs = await listLogs(sessions).catch(() => []);
  return logs.some(({ header }) => header?.agent === 'pi');
}

interface ContextFile {
  readonly path: string;
  content: string;
}

/** The person's, then from the root of the file system down to the working folder. */
export function contextFiles(agentFolder: string, cwd: string): readonly ContextFile[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) {
      break;
    }
  }
  const files = [agentFolder, ...folders].flatMap(folder => contextFileIn(folder) ?? []);
  return files.filter(({ path }, index) => files.findIndex(other => other.path === path) === index);
}

function contextFileIn(folder: string): ContextFile | undefined {
  for (const path of CONTEXT_FILES.map(name => join(folder, name)).filter(existsSync)) {
    try {
      return { path, content: sourceBytes(path).toString() };
    } catch {
      // A folder, a file that pi cannot read either, or one that never ends.
    }
  }
  return undefined;
}

/** Where skills lie: their folder, whose they are, and whether a Markdown file at its top is one too. */
interface SkillPlace {
  readonly folder: string;
  readonly scope: 'user' | 'project';
  readonly files: boolean;
}

/** The skills of pi's own folders and of those that agents share, the person's and the project's. */
export function skills(agentFolder: string, cwd: string, home: string) {
  const shared = join(home, '.agents', 'skills');
  const places: readonly SkillPlace[] = [
    { folder: join(cwd, '.pi', 'skills'), scope: 'project', files: true },
    ...foldersUpwards(cwd)
      .map(folder => join(folder, '.agents', 'skills'))
      .filter(folder => folder !== shared)
      .map(folder => ({ folder, scope: 'project', files: false }) as const),
    { folder: join(agentFolder, 'skills'), scope: 'user', files: true },
    { folder: shared, scope: 'user', files: false },
  ];
  const found = places.flatMap(({ folder, scope, files }) =>
    skillFiles(folder, files, 0).map(filePath => ({
      name: basename(filePath) === SKILL ? basename(dirname(filePath)) : basename(filePath, '.md'),
      filePath,
      sourceInfo: { scope },
    })),
  );
  // A link to a skill is that skill.
  const seen = new Set<string>();
  return found.filter(({ filePath }) => {
    const real = realPath(filePath);
    return !seen.has(real) && seen.add(real);
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const SKILL = 'SKILL.md';

/** The folder and those above it, up to the root of its repository where it is in one. */
function foldersUpwards(cwd: string): readonly string[] {
  const root = repositoryOf(cwd);
  const folders = [cwd];
  for (let folder = cwd; folder !== root && folder !== dirname(folder); ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

/** Folders that lie deeper hold no skill of anybody; links may go in a circle. */
const DEEPEST = 4;

function skillFiles(folder: string, files: boolean, depth: number): readonly string[] {
  const entries = entriesOf(folder);
  if (entries.some(({ name, isFile }) => isFile && name === SKILL)) {
    return [join(folder, SKILL)];
  }
  return entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .flatMap(({ name, isFile }) => {
      const path = join(folder, name);
      if (isFile) {
        return files && name.endsWith('.md') ? [path] : [];
      }
      return depth === DEEPEST ? [] : skillFiles(path, false, depth + 1);
    });
}

interface Entry {
  readonly name: string;
  /** Else it is a folder. */
  readonly isFile: boolean;
}

/** Files and folders, also behind links. */
function entriesOf(folder: string): readonly Entry[] {
  try {
    return readdirSync(folder)
      .sort()
      .flatMap(name => {
        const stats = statSync(join(folder, name), { throwIfNoEntry: false });
        return stats?.isFile() || stats?.isDirectory() ? [{ name, isFile: stats.isFile() }] : [];
      });
  } catch {
    return [];
  }
}
