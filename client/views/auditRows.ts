import type { AuditType } from '../../protocol/log/auditEntry.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { AuditEntry } from '../../protocol/log/sessionState.ts';
import { OPEN_AUDIT_COMMAND } from '../names.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { bySession, type Drawing, FROM_A_ROW, greyed, placeIn, rowId } from './drawing.ts';
import { renderShown } from './eventWords.ts';
import { moreRow } from './pages.ts';
import type { Row } from './row.ts';
import { beside, paragraphs, shown, type Wording } from './wording.ts';

/** What the list is narrowed to, by all of these together; what is absent lets everything through. */
export interface AuditFilter {
  readonly type?: AuditType;
  readonly blockId?: string;
  readonly source?: string;
}

/** `{0}` is the block, or for what is about none its source. What was denied stands out by word, icon and colour. */
const LABELS = {
  'block/activated': 'Activated: {0}',
  'block/conflict': 'Conflict: {0}',
  'block/denied': 'DENIED definition: {0}',
  'block/discarded': 'Discarded: {0}',
  'discard/repeated': 'Discarded once more: {0}',
  'discard/unknown': 'Discard of an unknown block: {0}',
  'discard/denied': 'DENIED discard: {0}',
  'discard/overflow': 'Discards left out: {0}',
  'ephemeral/consumed': 'Consumed: {0}',
} as const satisfies Record<AuditType, string>;

const WARNING = 'problemsWarningIcon.foreground';

const LOOKS: Readonly<Record<AuditType, { readonly icon: string; readonly color?: string }>> = {
  'block/activated': { icon: 'pass-filled', color: 'testing.iconPassed' },
  'block/conflict': { icon: 'warning', color: WARNING },
  'block/denied': { icon: 'shield', color: WARNING },
  'block/discarded': { icon: 'circle-slash' },
  'discard/repeated': { icon: 'circle-slash' },
  'discard/unknown': { icon: 'question', color: WARNING },
  'discard/denied': { icon: 'shield', color: WARNING },
  'discard/overflow': { icon: 'warning', color: WARNING },
  'ephemeral/consumed': { icon: 'check' },
};

/** The audit, newest first. */
export function auditRows(sessions: PanelSessions, drawing: Drawing, filter: AuditFilter): readonly Row[] {
  return bySession(sessions, drawing, session => entries(session, drawing, filter));
}

function entries(session: PanelSession, drawing: Drawing, filter: AuditFilter): readonly Row[] {
  const { audit } = session.state;
  const list = rowId(drawing.view, session, 'audit');
  const limit = drawing.pages.limit(list);
  const rows: Row[] = [];
  for (let index = audit.length - 1; index >= 0; index--) {
    const entry = audit.get(index);
    if (!entry || !passes(entry, filter)) {
      continue;
    }
    if (rows.length === limit) {
      return [...rows, moreRow(list, drawing)];
    }
    rows.push(entryRow(session, entry, drawing));
  }
  return rows;
}

function passes({ type, blockId, source }: AuditEntry, filter: AuditFilter): boolean {
  return (
    (filter.type === undefined || filter.type === type) &&
    (filter.blockId === undefined || filter.blockId === blockId) &&
    (filter.source === undefined || filter.source === source)
  );
}

function entryRow(session: PanelSession, entry: AuditEntry, { view, wording }: Drawing): Row {
  const { say, time } = wording;
  const { seq, type, blockId, source = '', requestSequence } = entry;
  const { icon, color } = LOOKS[type];
  const place = placeIn(session, source);
  const title = say({ template: LABELS[type], values: [blockId === undefined ? place : shown(blockId)] });
  const by = blockId === undefined ? '' : say(sentence('by {0}', place));
  const request = requestSequence === undefined ? '' : say(sentence('request {0}', requestSequence));
  return {
    id: rowId(view, session, 'audit', seq),
    label: title,
    description: beside([by, request, time(entry.time)]),
    tooltip: paragraphs([title, shown(source), request, time(entry.time)]),
    details: async () => {
      const [event] = await session.history(seq, seq + 1);
      return event?.seq === seq
        ? paragraphs([renderShown(event, session, wording), ruleOf(event.data, wording)])
        : undefined;
    },
    icon,
    ...greyed(session, color),
    spoken: [title, by, request, time(entry.time)].filter(part => part !== '').join(', '),
    kind: 'audit',
    command: {
      command: OPEN_AUDIT_COMMAND,
      title: say(sentence('Open')),
      arguments: [{ session: session.key, seq }, FROM_A_ROW],
    },
  };
}

function ruleOf(data: unknown, { say }: Wording): string {
  const { rule } = data as { readonly rule?: unknown };
  return typeof rule === 'string' ? say(sentence('Rule: {0}', shown(rule, 400))) : '';
}

/** The kinds of entries as a person chooses among them. */
export function auditTypes({ say }: Wording): readonly { readonly type: AuditType; readonly label: string }[] {
  return (Object.keys(LABELS) as AuditType[]).map(type => ({
    type,
    label: say({ template: LABELS[type], values: ['…'] }),
  }));
}

/** What the list is narrowed to, in words; empty where it is not. */
export function filterText({ type, blockId, source }: AuditFilter, wording: Wording): string {
  const { say } = wording;
  const kind = type === undefined ? '' : say({ template: LABELS[type], values: ['…'] });
  return beside([
    kind,
    blockId === undefined ? '' : say(sentence('block {0}', shown(blockId))),
    source === undefined ? '' : say(sentence('source {0}', shown(source))),
  ]);
}
