import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import type { TextChange } from '../../../protocol/lifecycle/text.ts';
import type { OpenDocument } from '../../document.ts';

/** The edits of one file. */
export interface FileEdits {
  readonly uri: string;
  /** The version that the edits were computed for; null for a file that is not open. */
  readonly version: number | null;
  readonly edits: readonly TextEdit[];
}

/** One edit over all files, with versions where the client can check them. */
export function workspaceEdit(files: readonly FileEdits[], documentChanges: boolean): WorkspaceEdit {
  if (!documentChanges) {
    return { changes: Object.fromEntries(files.map(({ uri, edits }) => [uri, [...edits]])) };
  }
  return {
    documentChanges: files.map(({ uri, version, edits }) => ({ textDocument: { uri, version }, edits: [...edits] })),
  };
}

/** Changes at offsets of a document as its edits. */
export function fileEdits(document: OpenDocument, changes: readonly TextChange[]): FileEdits {
  return {
    uri: document.uri,
    version: document.version,
    edits: changes.map(({ range, newText }) => ({ range: document.rangeOf(range), newText })),
  };
}

/** The text after the changes, which must not overlap; of two insertions at one place the first comes first. */
export function withChanges(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let from = 0;
  for (const { range, newText } of changes.toSorted((a, b) => a.range.start - b.range.start)) {
    result += text.slice(from, range.start) + newText;
    from = range.end;
  }
  return result + text.slice(from);
}
