import { RelativePattern, Uri, workspace } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  FIND_FILES_REQUEST,
  type FindFilesParams,
  READ_FILE_REQUEST,
  type ReadFileParams,
} from '../protocol/lifecycle/editorRequests.ts';

/** Finds and reads files for a server that has no file system of its own. */
export function answerFileRequests(client: BaseLanguageClient): void {
  client.onRequest(FIND_FILES_REQUEST, findFiles);
  client.onRequest(READ_FILE_REQUEST, readFile);
}

async function findFiles({ folder, include, limit }: FindFilesParams): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const glob of include) {
    for (const uri of await workspace.findFiles(new RelativePattern(Uri.parse(folder), glob), undefined, limit)) {
      found.add(uri.toString());
    }
  }
  return [...found].slice(0, limit);
}

/** Base64 of the file's bytes; null when it cannot be read or is larger than the server wants. */
async function readFile({ uri, maxBytes }: ReadFileParams): Promise<string | null> {
  try {
    const file = Uri.parse(uri);
    const { size } = await workspace.fs.stat(file);
    return size > maxBytes ? null : base64Of(await workspace.fs.readFile(file));
  } catch {
    return null;
  }
}

const CHUNK = 0x8000;

function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    // One call with all bytes would overflow the stack on a large file.
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}
