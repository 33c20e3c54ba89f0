import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { filesBelow } from './findFiles.ts';
import { isInside, realPathOf } from './paths.ts';
import type { ProjectFolder } from './projectFolder.ts';
import type { SourceFile } from './sourceFile.ts';

/**
 * The paths of the context sources in a project, without those that are known already. As in the editor, links are followed after everything else, and a folder behind
 * links is entered once, so that no loop of links can form. What cannot be read is left out: nobody asked about it.
 */
export function* sourcesOf(project: ProjectFolder, known: ReadonlySet<string>): Generator<string> {
  const isOther = (path: string): boolean => !known.has(path) && project.isSource(path);
  const links: string[] = [];
  const search = (folder: string): Iterable<string> =>
    filesBelow(
      folder,
      isOther,
      () => undefined,
      path => links.push(path),
    );
  yield* search(project.root);
  const entered = new Set<string>();
  for (const link of links) {
    const { kind, target } = follow(link);
    if (kind === 'file' && isOther(link)) {
      yield link;
    } else if (kind === 'folder' && !entered.has(target)) {
      entered.add(target);
      yield* search(link);
    }
  }
}

/** What a link leads to; a folder in which the link itself lies is nothing, or the search would never end. */
function follow(link: string): { readonly kind: 'file' | 'folder' | 'nothing'; readonly target: string } {
  try {
    const target = realpathSync(link);
    const stats = statSync(target);
    const isLoop = isInside(join(realPathOf(dirname(link)), basename(link)), target);
    return { kind: stats.isFile() ? 'file' : stats.isDirectory() && !isLoop ? 'folder' : 'nothing', target };
  } catch {
    return { kind: 'nothing', target: link };
  }
}

/**
 * The files, each path of a context source under one name: its own where that is a source, else that of the first link.
 * Otherwise a link such as GEMINI.md -> AGENTS.md would be in conflict with itself.
 */
export function withOneName(files: readonly SourceFile[], project: ProjectFolder): readonly SourceFile[] {
  const named = files.map(file => ({ file, real: realPathOf(file.path) }));
  const sources = new Map<string, SourceFile>();
  for (const { file, real } of named) {
    if (project.isSource(file.path) && (file.path === real || !sources.has(real))) {
      sources.set(real, file);
    }
  }
  return named.map(({ file, real }) => {
    const source = sources.get(real);
    return source ? { ...file, uri: source.uri, checkedPath: source.checkedPath } : file;
  });
}
