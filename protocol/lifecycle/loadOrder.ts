/** Context files that an agent reads by default, as paths. */
export interface ContextFiles {
  /** Of the person, wherever they work; in the order in which the agent reads them. */
  readonly user: readonly string[];
  /** Of the repository, in any folders from its root down to the working folder; those of one folder in the agent's order. */
  readonly repository: readonly string[];
}

/**
 * The order in which an adapter loads sources by default (DESIGN, Trust): the person's first, then the repository's from its
 * root to the working folder. The first definition of an ID wins, so a repository cannot take over a person's block. A file
 * that is in both lists is the person's, and each file is loaded once.
 */
export function loadOrder({ user, repository }: ContextFiles): readonly string[] {
  const outerFirst = [...repository].sort((a, b) => depthOf(a) - depthOf(b));
  return [...new Set([...user, ...outerFirst])];
}

/** How many folders lead to a file. */
function depthOf(path: string): number {
  return path.split(/[\\/]+/).length;
}
