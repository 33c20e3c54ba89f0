import { outlineDocument } from '../protocol/lifecycle/document.ts';
import { buildProject } from './check/buildProject.ts';
import { checkDocument } from './check/checkDocument.ts';
import type { CheckedDocument } from './check/checkedDocument.ts';
import type { Project, SourceSummary } from './check/project.ts';
import { DEFAULT_RULES } from './check/rules.ts';
import { summarize } from './check/summarize.ts';
import type { FileSystem, SkipLog } from './fileSystem.ts';
import { type Folder, uriInFolder } from './folders.ts';
import type { Setup } from './setup.ts';
import type { TimeSlices } from './timeSlices.ts';

/** The project of nothing. */
export const NO_PROJECT: Project = buildProject([], DEFAULT_RULES);

/** A file that is not open, as the lint engine sees it; undefined when there is no text, which `log` is told. */
export async function readSource(
  files: FileSystem,
  folder: Folder,
  path: string,
  slices: TimeSlices,
  log: SkipLog,
): Promise<CheckedDocument | undefined> {
  const uri = uriInFolder(folder, path);
  const bytes = await files.read(uri);
  await slices.turn();
  if (typeof bytes === 'string') {
    log.add(bytes, path);
    return undefined;
  }
  const text = textOf(bytes);
  if (text === undefined) {
    log.add('binary', path);
    return undefined;
  }
  return { uri, path, outline: outlineDocument(text) };
}

/** What the index keeps of it. Findings that need other files are counted when somebody asks. */
export function summaryOf(source: CheckedDocument, setup: Setup): SourceSummary {
  const { length } = checkDocument(source, NO_PROJECT, setup.partialRules);
  return summarize(source.uri, source.path, source.outline, length);
}

/** Bytes that are looked at to tell text from other data, as Git does. */
const LOOKED_AT = 8000;

/** The text of a file's bytes; undefined when they are no text. */
function textOf(bytes: Uint8Array): string | undefined {
  return bytes.subarray(0, LOOKED_AT).includes(0) ? undefined : new TextDecoder().decode(bytes);
}
