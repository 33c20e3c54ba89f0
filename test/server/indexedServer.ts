import {
  DECLARED_BLOCKS_CHANGED,
  DECLARED_BLOCKS_REQUEST,
  type DeclaredBlocks,
} from '../../protocol/lifecycle/editorRequests.ts';
import { type LspOptions, LspProcess } from './lspProcess.ts';

/** A server whose index is complete. */
export async function startIndexed(folders: readonly string[], options: LspOptions = {}): Promise<LspProcess> {
  const server = await LspProcess.start({ ...options, folders });
  await declaredWhen(server, ({ complete }) => complete);
  return server;
}

/** The declared blocks as soon as they fit; asks again after each notice of a change. */
export async function declaredWhen(
  server: LspProcess,
  fits: (blocks: DeclaredBlocks) => boolean,
): Promise<DeclaredBlocks> {
  for (;;) {
    const from = server.notifications.length;
    const blocks = await server.request<DeclaredBlocks>(DECLARED_BLOCKS_REQUEST, undefined);
    if (fits(blocks)) {
      return blocks;
    }
    await server.notified(DECLARED_BLOCKS_CHANGED, () => true, from);
  }
}

/** The IDs of all declared blocks, in order. */
export const idsOf = ({ folders }: DeclaredBlocks) =>
  folders.flatMap(({ sources }) => sources.flatMap(({ blocks }) => blocks.map(({ id }) => id)));

/** Tells the server what has changed outside of the editor. */
export async function filesChanged(
  server: LspProcess,
  changes: readonly { readonly uri: string; readonly type: number }[],
): Promise<void> {
  await server.notify('workspace/didChangeWatchedFiles', { changes });
}
