import type { Declaration } from '../protocol/lifecycle/declaration.ts';
import type { DocumentOutline } from '../protocol/lifecycle/document.ts';
import type {
  DeclaredBlock,
  DeclaredBlocks,
  DeclaredFolder,
  DeclaredSource,
} from '../protocol/lifecycle/editorRequests.ts';
import { structureOf } from '../protocol/lifecycle/structure.ts';
import type { Message } from '../protocol/lifecycle/text.ts';
import { blockIdConflicts } from './check/blockIdConflicts.ts';
import { checkDocument } from './check/checkDocument.ts';
import type { CheckedDocument } from './check/checkedDocument.ts';
import { duplicateMarks } from './check/duplicateMarks.ts';
import type { FindingCode, UnratedFinding } from './check/finding.ts';
import type { SourceSummary } from './check/project.ts';
import type { FolderIndex } from './folderIndex.ts';
import { localize } from './localize.ts';

/** How many problems an open document has now; undefined for a file that is not open. */
export type ProblemsNow = (uri: string) => number | undefined;

/** The blocks that the folders declare, by source in load order. */
export function declaredBlocks(folders: readonly FolderIndex[], problemsNow: ProblemsNow): DeclaredBlocks {
  return {
    folders: folders.map(folder => declaredFolder(folder, problemsNow)),
    complete: folders.every(({ complete }) => complete),
  };
}

function declaredFolder(folder: FolderIndex, problemsNow: ProblemsNow): DeclaredFolder {
  const sources = folder.project
    .inLoadOrder(({ uri, declarations, problemCount }) => declarations.length + (problemsNow(uri) ?? problemCount) > 0)
    .map(source => declaredSource(folder, source, problemsNow(source.uri)))
    .filter(({ blocks, problemCount }) => blocks.length + problemCount > 0);
  return { uri: folder.uri, name: folder.name, sources };
}

function declaredSource(folder: FolderIndex, source: SourceSummary, problemsNow: number | undefined): DeclaredSource {
  const { uri, path } = source;
  if (source.declarations.length === 0) {
    return { uri, path, problemCount: problemsNow ?? source.problemCount, blocks: [] };
  }
  const checked = { uri, path, outline: outlineOf(source) };
  return {
    uri,
    path,
    problemCount: problemsNow ?? source.problemCount + problemsWithOthers(folder, source, checked),
    blocks: blocksOf(folder, checked),
  };
}

const WITH_OTHERS: readonly FindingCode[] = ['block-id-conflict', 'unknown-block'];

/** What a file's own text earns was counted when it was read; these depend on the other files. */
function problemsWithOthers(folder: FolderIndex, { suppressed }: SourceSummary, checked: CheckedDocument): number {
  const rules = folder.complete ? folder.setup.rules : folder.setup.partialRules;
  const counted = WITH_OTHERS.filter(code => !suppressed.includes(code));
  return checkDocument(checked, folder.project, rules).filter(({ code }) => counted.includes(code)).length;
}

function blocksOf(folder: FolderIndex, checked: CheckedDocument): readonly DeclaredBlock[] {
  const { outline } = checked;
  const blocks = new Map(outline.blocks.map(block => [block.opening, block]));
  const conflicts = new Map(
    blockIdConflicts(checked, folder.project, folder.setup.rules).map(found => [found.range.start, found]),
  );
  return outline.declarations
    .filter(({ kind }) => kind === 'opening')
    .map(opening => {
      const line = opening.range.start;
      const block = blocks.get(opening);
      const place = { id: opening.id, line, endLine: block?.closing?.range.start ?? line };
      const conflict = conflicts.get(line);
      if (conflict) {
        return { ...place, state: 'conflict', reason: localize(conflict.message), ...winnerOf(conflict) };
      }
      return block?.valid
        ? { ...place, state: 'valid' }
        : { ...place, state: 'invalid', reason: localize(invalidReason(opening, outline)) };
    });
}

function winnerOf({ related }: UnratedFinding): Pick<DeclaredBlock, 'winner'> {
  const [winner] = related;
  return winner?.kind === 'elsewhere' ? { winner: { uri: winner.uri, line: winner.line } } : {};
}

/** The problem at the opening itself, else one that names it. */
function invalidReason({ range, id }: Declaration, outline: DocumentOutline): Message {
  const marks = duplicateMarks(outline);
  const found =
    [...outline.problems, ...marks].find(problem => problem.range.start === range.start) ??
    outline.problems.find(({ related }) => related.some(place => place.range.start === range.start));
  return found?.message ?? { template: "Block '{0}' is not valid.", values: [id] };
}

/**
 * The index keeps no text, so the tag lines stand in for it: the line is the offset, which is all that the structural
 * rule looks at.
 */
function outlineOf({ declarations }: SourceSummary): DocumentOutline {
  const tags = declarations.map(({ kind, id, line }): Declaration => {
    return { kind, id, range: { start: line, end: line }, next: line + 1 };
  });
  return { text: '', declarations: tags, ...structureOf(tags) };
}
