import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** pi takes the first of a folder. */
const CONTEXT_FILES = ['AGENTS.override.md', 'AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'] as const;

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
      return { path, content: readFileSync(path, 'utf8') };
    } catch {
      // A folder, or a file that pi cannot read either.
    }
  }
  return undefined;
}

/** Folders with a SKILL.md, the person's and the project's. */
export function skills(agentFolder: string, cwd: string) {
  const places = [
    { folder: join(agentFolder, 'skills'), scope: 'user' },
    { folder: join(cwd, '.pi', 'skills'), scope: 'project' },
  ];
  return places.flatMap(({ folder, scope }) =>
    skillFiles(folder, 0).map(filePath => ({
      name: basename(dirname(filePath)),
      filePath,
      sourceInfo: { scope },
    })),
  );
}

/** Folders that lie deeper hold no skill of anybody. */
const DEEPEST = 4;

function skillFiles(folder: string, depth: number): readonly string[] {
  const entries = entriesOf(folder);
  if (entries.some(entry => entry.isFile() && entry.name === 'SKILL.md')) {
    return [join(folder, 'SKILL.md')];
  }
  return depth === DEEPEST
    ? []
    : entries
        .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        .flatMap(entry => skillFiles(join(folder, entry.name), depth + 1));
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
