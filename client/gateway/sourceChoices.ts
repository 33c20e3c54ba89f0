import { fileURLToPath } from 'node:url';
import type { DeclaredBlocks } from '../../protocol/lifecycle/editorRequests.ts';

/** A context file that a person may let the gateway load. */
export interface SourceChoice {
  /** Whole path. */
  readonly path: string;
  /** As the workspace shows it. */
  readonly label: string;
  /** IDs of the blocks that it would bring. */
  readonly blocks: readonly string[];
  /** It was chosen the last time. */
  readonly chosen: boolean;
}

/**
 * The context files on disk that declare a block, in load order, then those that were chosen before and are not among them. Nothing
 * is chosen that a person has not chosen: that a file lies in a workspace says nothing of whether its text may steer an agent. What is
 * gone is not offered: the server may hear of it later, and a gateway does not start with it.
 */
export function sourceChoices(
  declared: DeclaredBlocks | undefined,
  before: readonly string[],
  isThere: (path: string) => boolean,
): readonly SourceChoice[] {
  const known = new Set(before);
  const found = (declared?.folders ?? []).flatMap(({ name, sources }, _, { length }) =>
    sources.flatMap(({ uri, path: shownPath, blocks }): readonly SourceChoice[] => {
      const path = pathOf(uri);
      const valid = blocks.filter(({ state }) => state !== 'invalid').map(({ id }) => id);
      return path === undefined || valid.length === 0 || !isThere(path)
        ? []
        : [{ path, label: length > 1 ? `${name}/${shownPath}` : shownPath, blocks: valid, chosen: known.has(path) }];
    }),
  );
  const paths = new Set(found.map(({ path }) => path));
  const others = before.filter(path => !paths.has(path) && isThere(path));
  return [...found, ...others.map(path => ({ path, label: path, blocks: [], chosen: true }))];
}

/** Absent for what is no file of this machine. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
