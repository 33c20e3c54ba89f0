import assert from 'node:assert/strict';
import type { Position, Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { outlineDocument } from '../../../protocol/lifecycle/document.ts';
import { buildProject } from '../../../server/check/buildProject.ts';
import { checkDocument } from '../../../server/check/checkDocument.ts';
import type { Finding } from '../../../server/check/finding.ts';
import type { Project } from '../../../server/check/project.ts';
import { DEFAULT_RULES } from '../../../server/check/rules.ts';
import { summarize } from '../../../server/check/summarize.ts';
import type { OpenDocument } from '../../../server/document.ts';
import { OpenDocuments } from '../../../server/openDocuments.ts';
import type { PositionEncoding } from '../../../server/positionEncoding.ts';

/** Stands in a line where the cursor is; two of them mark a selection. */
export const CURSOR = '$$CURSOR$$';

export const LINE_ENDS = ['\n', '\r\n'] as const;

export interface Opened {
  readonly document: OpenDocument;
  /** Where the first mark stood. */
  readonly position: Position;
  /** From the first mark to the last one. */
  readonly range: Range;
}

export interface Options {
  readonly path?: string;
  readonly uri?: string;
  readonly lineEnd?: string;
  readonly encoding?: PositionEncoding;
  readonly version?: number;
}

/** Opens a document that is written as lines with `CURSOR` marks. */
export function open(lines: readonly string[], options: Options = {}): Opened {
  const { path = 'AGENTS.md', uri = uriOf(path), lineEnd = '\n', encoding = 'utf-16', version = 7 } = options;
  const [first = '', ...rest] = lines.join(lineEnd).split(CURSOR);
  const document = new OpenDocuments(encoding).open({
    uri,
    languageId: 'markdown',
    version,
    text: [first, ...rest].join(''),
  });
  assert.ok(document);
  const start = document.positionAt(first.length);
  const end = document.positionAt(first.length + rest.slice(0, -1).join('').length);
  return { document, position: start, range: { start, end } };
}

/** A project of files by path; what is open in the editor has to be named here as well. */
export function project(files: Readonly<Record<string, readonly string[]>> = {}): Project {
  const summaries = Object.entries(files).map(([path, lines]) =>
    summarize(uriOf(path), path, outlineDocument(lines.join('\n').replaceAll(CURSOR, '')), 0),
  );
  return buildProject(summaries, DEFAULT_RULES);
}

/** A project that holds only the document, under its path. */
export function projectOf({ document }: Opened, path = 'AGENTS.md'): Project {
  return buildProject([summarize(document.uri, path, document.outline, 0)], DEFAULT_RULES);
}

export function uriOf(path: string): string {
  return `file:///w/${path}`;
}

export function findingsOf(document: OpenDocument, inProject: Project, path = 'AGENTS.md'): readonly Finding[] {
  return checkDocument({ uri: document.uri, path, outline: document.outline }, inProject, DEFAULT_RULES);
}

/** The document's text after edits in the client's encoding, as lines. */
export function edited(document: OpenDocument, edits: readonly TextEdit[], lineEnd = '\n'): readonly string[] {
  const changes = edits
    .map(({ range, newText }, index) => ({
      start: document.offsetAt(range.start),
      end: document.offsetAt(range.end),
      newText,
      index,
    }))
    .sort((a, b) => b.start - a.start || b.index - a.index);
  let text = document.text.getText();
  for (const { start, end, newText } of changes) {
    text = text.slice(0, start) + newText + text.slice(end);
  }
  return text.split(lineEnd);
}

/** The edits of one file; fails when the edit says nothing about it. */
export function editsOf(edit: WorkspaceEdit | undefined, uri: string): readonly TextEdit[] {
  const versioned = edit?.documentChanges?.find(change => 'textDocument' in change && change.textDocument.uri === uri);
  const edits = versioned && 'edits' in versioned ? versioned.edits : edit?.changes?.[uri];
  assert.ok(edits, `no edits for ${uri}`);
  return edits.filter((one): one is TextEdit => 'newText' in one);
}

/** The text of a range. */
export function textOf(document: OpenDocument, range: Range): string {
  return document.text.getText().slice(document.offsetAt(range.start), document.offsetAt(range.end));
}
