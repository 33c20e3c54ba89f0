import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DocumentOutline, outlineDocument } from '../protocol/lifecycle/document.ts';
import { decodeBytes } from '../server/check/decodeBytes.ts';
import type { UnratedFinding } from '../server/check/finding.ts';
import { shownPath } from './paths.ts';
import type { ProjectFolder } from './projectFolder.ts';

/** One file as the command line knows it. */
export interface SourceFile {
  /** Absolute; `STDIN` for standard input without a name. */
  readonly path: string;
  readonly uri: string;
  /** As people see it: relative to the working folder where it lies inside; unescaped. */
  readonly shown: string;
  /** What the globs of the project are matched against: relative to its folder, with `/`; the name alone outside of it. */
  readonly checkedPath: string;
  readonly outline: DocumentOutline;
  /** What only its bytes show. */
  readonly noted: readonly UnratedFinding[];
}

/** The path of standard input that has no name; no file can have it. */
export const STDIN = '<stdin>';

/** Everything that the bytes of one file say. */
export function sourceFileOf(path: string, bytes: Uint8Array, cwd: string, project: ProjectFolder): SourceFile {
  const { text, notes } = decodeBytes(bytes);
  return {
    path,
    uri: path === STDIN ? 'stdin:' : pathToFileURL(path).href,
    shown: path === STDIN ? STDIN : shownPath(path, cwd),
    checkedPath: project.pathOf(path) ?? basename(path),
    outline: outlineDocument(text),
    noted: notes.map(({ code, range, message }) => ({ code, range, message, related: [] })),
  };
}

/** Whether anything can ever be said of the file: most files hold no tag at all and need not be kept. */
export function isSilent({ outline, noted }: SourceFile): boolean {
  return outline.declarations.length === 0 && outline.problems.length === 0 && noted.length === 0;
}
