import type { PanelSessions } from '../session/sessionModel.ts';
import type { RowSubject } from './row.ts';
import type { RowNode } from './rowTree.ts';

/** A block as a link in an editor names it; without a session it is one of the current session. */
export interface BlockReference {
  readonly session?: string;
  readonly block: string;
}

/** What a command is given: from a menu a row, from a click or a link what it is about, from the palette nothing. */
export type Given = RowNode | RowSubject | BlockReference | undefined;

/** What a command is about, as far as it was told. */
export function subjectOf(given: Given, { current }: PanelSessions): Partial<RowSubject> {
  if (given === undefined) {
    return {};
  }
  if ('row' in given) {
    return given.row.about ?? {};
  }
  if ('block' in given) {
    const session = given.session ?? current?.key;
    return { blockId: given.block, ...(session !== undefined && { session }) };
  }
  return given;
}

/** The block that a command is about; absent where it was told of none. */
export function blockReference(given: Given, sessions: PanelSessions): BlockReference | undefined {
  const { session, blockId } = subjectOf(given, sessions);
  return blockId === undefined ? undefined : { block: blockId, ...(session !== undefined && { session }) };
}
