import { distance } from 'fastest-levenshtein';
import { openBlockAt } from '../shared/tagAt.ts';
import { type Repair, type RepairCase, removal, renameBlock } from './structuralRepairs.ts';

/** An ID is taken for a slip of another up to this many changed characters. */
const MAX_DISTANCE = 2;

/** Repairs of findings about discards and about other files; empty for every other finding. */
export function otherRepairs(repairCase: RepairCase): readonly Repair[] {
  const { finding, tag, document, project } = repairCase;
  switch (finding.code) {
    case 'unknown-block':
      return unknownBlock(repairCase);
    case 'discard-inside-block':
      return [...moveOut(repairCase), removal(tag)];
    case 'block-id-conflict':
      return [renameBlock(tag, document, project)];
    default:
      return [];
  }
}

function unknownBlock({ tag, document, project }: RepairCase): readonly Repair[] {
  const own = document.outline.blocks.filter(({ valid }) => valid).map(({ id }) => id);
  const similar = [...new Set([...own, ...project.definedIds])].filter(id => isSlip(tag.id, id));
  return [
    ...similar.slice(0, 3).map(id => ({
      name: `change-to-${id}`,
      title: { template: "Change to '{0}'", values: [id] },
      edits: [{ edit: 'rename' as const, tag, id }],
      preferred: similar.length === 1,
    })),
    removal(tag),
  ];
}

function isSlip(typed: string, id: string): boolean {
  const limit = Math.min(MAX_DISTANCE, Math.floor(id.length / 2));
  return Math.abs(typed.length - id.length) <= limit && distance(typed, id) <= limit;
}

function moveOut({ tag, document }: RepairCase): readonly Repair[] {
  const block = openBlockAt(document.outline, tag.range.start);
  if (!block?.closing) {
    return [];
  }
  return [
    {
      name: 'move-out',
      title: { template: "Move this line below block '{0}'", values: [block.id] },
      edits: [
        { edit: 'remove', tag },
        { edit: 'insert', kind: 'discard', id: tag.id, before: block.closing.next },
      ],
      preferred: true,
    },
  ];
}
