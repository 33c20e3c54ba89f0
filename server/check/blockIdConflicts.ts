import type { CheckedDocument } from './checkedDocument.ts';
import type { FindingPlace, UnratedFinding } from './finding.ts';
import type { PlacedDeclaration, Project } from './project.ts';
import type { Rules } from './rules.ts';
import { loadOrderKey, sourceMatcher } from './sources.ts';

/**
 * Blocks of a context source whose ID an earlier source defines (V1: Named blocks: the first definition stays
 * authoritative). The document's own blocks come from its outline, which is newer than what the project knows of it.
 */
export function blockIdConflicts(document: CheckedDocument, project: Project, rules: Rules): readonly UnratedFinding[] {
  if (sourceMatcher(rules.sources).order(document.path) === undefined) {
    return [];
  }
  return document.outline.blocks.flatMap(({ id, opening, valid }) => {
    const winner = valid ? project.definitionsOf(id).find(({ source }) => source.uri !== document.uri) : undefined;
    if (!winner || !loadsBefore(winner.source.path, document.path, rules)) {
      return [];
    }
    const template =
      "Block '{0}' is already defined in {1}, which is loaded first, so this definition does not become active.";
    return [
      {
        code: 'block-id-conflict',
        range: opening.range,
        message: { template, values: [id, winner.source.path] },
        related: [placeElsewhere(winner, "'{0}' is defined here first.")],
        blockId: id,
      },
    ];
  });
}

/** A tag line of another file as the place that explains a finding; `{0}` in the template is its ID. */
export function placeElsewhere({ source, declaration }: PlacedDeclaration, template: string): FindingPlace {
  const { line, length, id } = declaration;
  return { kind: 'elsewhere', uri: source.uri, line, length, message: { template, values: [id] } };
}

function loadsBefore(path: string, other: string, rules: Rules): boolean {
  const matcher = sourceMatcher(rules.sources);
  const difference = (matcher.order(path) ?? 0) - (matcher.order(other) ?? 0);
  return difference === 0 ? loadOrderKey(path) < loadOrderKey(other) : difference < 0;
}
