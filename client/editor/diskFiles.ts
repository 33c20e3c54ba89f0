import { Disposable, FileType, RelativePattern, Uri, workspace } from 'vscode';
import { decodeSource } from '../../protocol/lifecycle/sourceBytes.ts';
import type { SourceFiles } from './sourceDrift.ts';

/** Larger files are no context sources that anybody sends to a model. */
const MOST_BYTES = 4_000_000;

/** Files of the machine that the extension runs on. */
export const diskFiles: SourceFiles = {
  async read(path) {
    try {
      const uri = Uri.file(path);
      const { type, size } = await workspace.fs.stat(uri);
      if ((type & FileType.File) === 0 || size > MOST_BYTES) {
        return undefined;
      }
      const bytes = await workspace.fs.readFile(uri);
      return decodeSource(bytes, (encoding, content) => new TextDecoder(encoding, { ignoreBOM: true }).decode(content))
        .text;
    } catch {
      return undefined;
    }
  },
  watch(path, changed) {
    const uri = Uri.file(path);
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    // What a glob would obey may be any letter: the file is read anew once too often, and no other one is.
    const pattern = new RelativePattern(Uri.joinPath(uri, '..'), name.replace(/[[\]{}?*!,]/g, '?'));
    const watcher = workspace.createFileSystemWatcher(pattern);
    return Disposable.from(
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
    );
  },
};
