import * as fs from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** What decides which files opencode loads as instructions. */
export interface InstructionPlaces {
  /** opencode's folder of the person's own configuration. */
  readonly config: string;
  readonly home: string;
  readonly directory: string;
  readonly worktree: string;
  /** `instructions` of opencode's merged configuration: paths, globs and addresses. */
  readonly instructions: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface InstructionFile {
  readonly path: string;
  /** It belongs to the person and to no project. */
  readonly ofUser: boolean;
}

/**
 * The files whose text opencode 1.18 puts at the end of its system prompt, found by its own rules and in its order: the first
 * of the person's own files that exists, the nearest kind of project file up the tree, and what the configuration names.
 */
export function instructionFiles(places: InstructionPlaces): readonly InstructionFile[] {
  const { config, home, directory, worktree, instructions, env } = places;
  const readsClaude = !isOn(env['OPENCODE_DISABLE_CLAUDE_CODE']) && !isOn(env['OPENCODE_DISABLE_CLAUDE_CODE_PROMPT']);
  const claude = join(home, '.claude', 'CLAUDE.md');
  const own = [join(config, 'AGENTS.md'), ...(readsClaude ? [claude] : [])].find(isFile);
  const readsProject = !isOn(env['OPENCODE_DISABLE_PROJECT_CONFIG']);
  const names = readsProject ? ['AGENTS.md', ...(readsClaude ? ['CLAUDE.md'] : []), 'CONTEXT.md'] : [];
  const upwards = foldersUp(directory, worktree);
  const ofProject = names.map(name => upwards.map(folder => join(folder, name)).filter(isFile));
  const named = instructions
    .filter(one => !/^https?:\/\//.test(one))
    .map(one => (one.startsWith('~/') ? join(home, one.slice(2)) : one))
    .flatMap(one =>
      isAbsolute(one)
        ? matching(basename(one), dirname(one))
        : (readsProject ? upwards : [config]).flatMap(folder => matching(one, folder)),
    );
  const paths = new Set(
    [own ?? [], ofProject.find(found => found.length > 0) ?? [], named].flat().map(path => resolve(path)),
  );
  const isOfUser = (path: string): boolean => path === claude || isWithin(config, path);
  return [...paths].map(path => ({ path, ofUser: isOfUser(path) }));
}

function foldersUp(from: string, to: string): readonly string[] {
  const folders = [from];
  for (let folder = from; folder !== to && folder !== dirname(folder); ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

/** Of newer runtimes, such as opencode's. */
const { globSync } = fs as { globSync?: (pattern: string, options: { readonly cwd: string }) => readonly string[] };

/** Files that a glob names; where the runtime knows none, a path is all that it can be. */
function matching(pattern: string, folder: string): readonly string[] {
  const paths = globSync ? globSync(pattern, { cwd: folder }) : [pattern];
  return paths.map(path => join(folder, path)).filter(isFile);
}

function isFile(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

/** As opencode reads its switches. */
function isOn(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}
