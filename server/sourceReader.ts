import { outlineDocument } from '../protocol/lifecycle/document.ts';
import { looksBinary, saysNothing } from '../protocol/lifecycle/sourceBytes.ts';
import { buildProject } from './check/buildProject.ts';
import { checkDocument } from './check/checkDocument.ts';
import type { CheckedDocument } from './check/checkedDocument.ts';
import { decodeBytes } from './check/decodeBytes.ts';
import type { FindingCode, UnratedFinding } from './check/finding.ts';
import type { Project, SourceSummary } from './check/project.ts';
import { DEFAULT_RULES } from './check/rules.ts';
import { summarize } from './check/summarize.ts';
import type { FileSystem, SkipLog } from './fileSystem.ts';
import { type Folder, uriInFolder } from './folders.ts';
import type { Setup } from './setup.ts';
import type { TimeSlices } from './timeSlices.ts';

/** The project of nothing. */
export const NO_PROJECT: Project = buildProject([], DEFAULT_RULES);

/** The outline of a file in which there is nothing to see. */
const NOTHING = outlineDocument('');

/**
 * Of what only a file's bytes show, the part that is known of an open file too. The rest is left to the command line: a
 * problem must not go away because somebody opens the file to look at it.
 */
const NOTED: ReadonlySet<FindingCode> = new Set<FindingCode>(['byte-order-mark', 'utf-16']);

/** A file that is not open, as the lint engine sees it. */
export interface ReadSource extends CheckedDocument {
  /** What only its bytes show: their encoding. */
  readonly noted: readonly UnratedFinding[];
}

/** Reads and parses a file; undefined when there is no text, which `log` is told. */
export async function readSource(
  files: FileSystem,
  folder: Folder,
  path: string,
  slices: TimeSlices,
  log: SkipLog,
): Promise<ReadSource | undefined> {
  await slices.turn();
  const decoded = await files.read(folder, path, bytes => {
    if (looksBinary(bytes)) {
      return 'binary';
    }
    return saysNothing(bytes) ? undefined : decodeBytes(bytes);
  });
  if (typeof decoded === 'string') {
    log.add(decoded, path);
    return undefined;
  }
  if (!decoded) {
    return { uri: uriInFolder(folder, path), path, outline: NOTHING, noted: [] };
  }
  const noted = decoded.notes
    .filter(({ code }) => NOTED.has(code))
    .map(({ code, range, message }) => ({ code, range, message, related: [] }));
  return { uri: uriInFolder(folder, path), path, outline: outlineDocument(decoded.text), noted };
}

/** What the index keeps of it. Findings that need other files are counted when somebody asks. */
export function summaryOf(source: ReadSource, setup: Setup): SourceSummary {
  const { length } = checkDocument(source, NO_PROJECT, setup.partialRules, source.noted);
  return summarize(source.uri, source.path, source.outline, length);
}
