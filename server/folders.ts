import type { InitializeParams, WorkspaceFolder } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import { parseUri } from './uriKey.ts';

/** A workspace folder: the root that the globs and the project file of a project belong to. */
export interface Folder {
  /** As the client spells it. */
  readonly uri: string;
  readonly name: string;
}

/** The folders that `initialize` names; none in single-file mode (editor-bugs 52). */
export function initialFolders(params: InitializeParams): readonly Folder[] {
  if (params.workspaceFolders) {
    return params.workspaceFolders.map(toFolder);
  }
  // Older clients know one root only. Every client in use sends one of these three.
  const root = params.rootUri ?? (params.rootPath ? URI.file(params.rootPath).toString() : undefined);
  return root ? [{ uri: root, name: fileName(root) }] : [];
}

export function toFolder({ uri, name }: WorkspaceFolder): Folder {
  return { uri, name };
}

/**
 * The path of a file below its folder, with `/`; undefined when it lies elsewhere. Compares parsed URIs part by part, so
 * that `/a/bc` is not below `/a/b`.
 */
export function pathInFolder(folder: Folder, uri: string): string | undefined {
  const root = parseUri(folder.uri);
  const file = parseUri(uri);
  if (!root || !file || root.scheme !== file.scheme || root.authority.toLowerCase() !== file.authority.toLowerCase()) {
    return undefined;
  }
  const base = withSlash(normalDrive(root.path));
  const path = normalDrive(file.path);
  return path.startsWith(base) && path.length > base.length ? path.slice(base.length) : undefined;
}

/**
 * Whether one of the paths (relative, with `/`) is this one or a folder above it. Goes up from the path, because the set
 * may be large: a build's output that is deleted has ten thousand files.
 */
export function isAtOrBelow(path: string, above: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (above.has(path.slice(0, end))) {
      return true;
    }
  }
  return false;
}

/** The innermost of the folders that holds the file; undefined when none does. */
export function folderOf<F extends Folder>(folders: Iterable<F>, uri: string): F | undefined {
  let inner: F | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (const folder of folders) {
    const path = pathInFolder(folder, uri);
    if (path !== undefined && path.length < shortest) {
      inner = folder;
      shortest = path.length;
    }
  }
  return inner;
}

/** The URI of a file below a folder. */
export function uriInFolder(folder: Folder, path: string): string {
  const root = rootOf(folder);
  return root.with({ path: withSlash(root.path) + path }).toString();
}

/** The folder's path on this machine. */
export function folderPath(folder: Folder): string {
  return rootOf(folder).fsPath;
}

/** Parsed once: an index asks for thousands of files of one folder. */
const roots = new WeakMap<Folder, URI>();

function rootOf(folder: Folder): URI {
  const root = roots.get(folder) ?? URI.parse(folder.uri);
  roots.set(folder, root);
  return root;
}

/** The last part of a URI's path; the whole text when it is no URI. */
export function fileName(uri: string): string {
  const parsed = parseUri(uri);
  return parsed ? Utils.basename(parsed) : uri;
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** editor-bugs 49: `/D:/x` and `/d:/x` are one path. */
function normalDrive(path: string): string {
  return /^\/[A-Z]:/.test(path) ? `/${path.charAt(1).toLowerCase()}${path.slice(2)}` : path;
}
