import { sentence } from '../../protocol/log/sentence.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import { type AuditFilter, auditTypes } from './auditRows.ts';
import { placeIn } from './drawing.ts';
import type { Wording } from './wording.ts';

/** Blocks and sources that are listed at most of each kind. */
const LISTED = 500;

/** One thing that the audit can be narrowed to. */
export interface AuditChoice {
  /** May hold what a session says. */
  readonly label: string;
  /** It is narrowed to this now. */
  readonly isOn: boolean;
  /** What it is narrowed to once this is picked: together with what was on of other kinds, or no longer to this. */
  readonly filter: AuditFilter;
}

export interface AuditChoices {
  readonly title: string;
  readonly choices: readonly AuditChoice[];
}

/** What the audit can be narrowed to, by kind. A kind, a block and a source count together; of each there is one at most. */
export function auditChoices(sessions: PanelSessions, filter: AuditFilter, wording: Wording): readonly AuditChoices[] {
  const blocks = new Set<string>();
  const sources = new Map<string, string>();
  for (const session of sessions.all) {
    for (const { blockId, source } of session.state.audit) {
      if (blockId !== undefined && blocks.size < LISTED) {
        blocks.add(blockId);
      }
      if (source !== undefined && sources.size < LISTED) {
        sources.set(source, placeIn(session, source));
      }
    }
  }
  const { say } = wording;
  const choice = (label: string, name: keyof AuditFilter, value: string): AuditChoice => {
    const { [name]: now, ...others } = filter;
    const isOn = now === value;
    return { label, isOn, filter: isOn ? others : { ...others, [name]: value } };
  };
  return [
    {
      title: say(sentence('What happened')),
      choices: auditTypes(wording).map(({ type, label }) => choice(label, 'type', type)),
    },
    { title: say(sentence('Block')), choices: [...blocks].sort().map(id => choice(id, 'blockId', id)) },
    { title: say(sentence('Source')), choices: [...sources].map(([source, place]) => choice(place, 'source', source)) },
  ];
}
