import type { FolderIndex } from './folderIndex.ts';
import { localize } from './localize.ts';

/** One sentence when a folder has more context sources than are read; undefined when all are. */
export function truncationNote(folders: readonly FolderIndex[]): string | undefined {
  const folder = folders.find(({ truncatedAt }) => truncatedAt !== undefined);
  return folder
    ? localize({
        template:
          'The folder {0} has more than {1} context sources, so only {1} are known. Raise contextLifecycle.index.maxFiles or narrow contextLifecycle.sources.',
        values: [folder.name, String(folder.truncatedAt)],
      })
    : undefined;
}
