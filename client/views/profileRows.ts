import { type Ability, type AgentProfile, agentProfile, type Level } from '../../protocol/lifecycle/agentProfiles.ts';
import {
  byWords,
  commentWords,
  ephemeralWords,
  failureWords,
  levelWords,
  prefixWords,
  receiptWords,
} from '../../protocol/lifecycle/profileWords.ts';
import type { Message } from '../../protocol/lifecycle/text.ts';
import { observeOnly } from '../../protocol/log/observeOnly.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { type Drawing, greyed, placeIn, rowId } from './drawing.ts';
import type { Row } from './row.ts';
import { beside, paragraphs, shown, type Wording } from './wording.ts';

/** Our own demo does all that an agent can. */
const BUILT_IN = 'demo';

const ICONS: Readonly<Record<Level, string>> = { enforced: 'check', observed: 'eye', impossible: 'circle-slash' };

/** What can be done at the session's agent: what is enforced, what is only observed, what cannot be. Empty for our own demo. */
export function profileRows(session: PanelSession, drawing: Drawing): readonly Row[] {
  const { agent } = session.header;
  if (agent === BUILT_IN) {
    return [];
  }
  const { view, wording } = drawing;
  const { say } = wording;
  const profile = agentProfile(agent);
  const observed = [...observeOnly(session.state).keys()];
  const label = say(sentence('What holds here'));
  const description = beside([
    observed.length > 0 ? say(sentence('observe only for {0}', placesText(session, observed))) : '',
    profile
      ? measuredText(profile, session.state.opened?.agentVersion, wording)
      : say(sentence('not known: this agent was never measured')),
  ]);
  return [
    {
      id: rowId(view, session, 'profile'),
      label,
      description,
      tooltip: paragraphs([`${label}: ${description}`, ...observedSentences(session)]),
      icon: observed.length > 0 ? 'eye' : 'checklist',
      ...greyed(session, observed.length > 0 ? 'problemsWarningIcon.foreground' : undefined),
      spoken: `${label}: ${description}`,
      kind: 'session.profile',
      ...(profile && { children: () => detailRows(session, profile, observed, drawing) }),
    },
  ];
}

function measuredText({ name, versions }: AgentProfile, version: string | undefined, { say }: Wording): string {
  const measured = versions.join(', ');
  return version === undefined || versions.includes(version)
    ? say(sentence('as measured with {0} {1}', name, version ?? measured))
    : say(sentence('measured with {0} {1}, not with {2}', name, measured, shown(version, 40)));
}

function placesText(session: PanelSession, sources: readonly string[]): string {
  return sources.map(source => placeIn(session, source)).join(', ');
}

function observedSentences({ state }: PanelSession): readonly string[] {
  return [...observeOnly(state).values()].map(text => shown(text, 400));
}

function detailRows(
  session: PanelSession,
  profile: AgentProfile,
  observed: readonly string[],
  { view, wording }: Drawing,
): readonly Row[] {
  const { say } = wording;
  const row = (name: string, label: Message, description: string, icon: string, more: readonly string[] = []): Row => ({
    id: rowId(view, session, 'profile', name),
    label: say(label),
    description: shown(description),
    tooltip: paragraphs([`${say(label)}: ${shown(description, 1_000)}`, ...more]),
    icon,
    ...greyed(session, icon === 'eye' ? 'problemsWarningIcon.foreground' : undefined),
    spoken: `${say(label)}: ${description}`,
    kind: 'profile',
  });
  const ability = (
    name: string,
    label: Message,
    { level, note }: Ability,
    isObserved: boolean,
    asMeasured = levelWords(level),
  ): Row => {
    const now = isObserved ? 'observed' : level;
    const where = isObserved ? say(sentence('for {0}', placesText(session, observed))) : '';
    const words = [say(isObserved ? levelWords(now) : asMeasured), where].filter(text => text !== '').join(' ');
    return row(name, label, words, ICONS[now], [
      note ? say(note) : '',
      ...(isObserved ? observedSentences(session) : []),
    ]);
  };
  const isObserved = observed.length > 0;
  const comments = commentWords(profile);
  return [
    row('by', sentence('Done'), say(byWords(profile)), 'plug'),
    ability('blocks', sentence('Blocks'), profile.blocks, isObserved),
    ability('ephemerals', sentence('Ephemeral contents'), profile.ephemerals, false, ephemeralWords(profile)),
    ability('discards', sentence('Discards'), profile.discards, isObserved),
    row('receipt', sentence('What left'), say(receiptWords(profile)), 'pass'),
    row('failure', sentence('When something is wrong'), say(failureWords(profile)), 'shield'),
    ...(comments ? [row('comments', sentence('Comments'), say(comments), 'warning')] : []),
    ...prefixWords(profile).map((words, index) => row(`prefix ${index}`, sentence('Not exact'), say(words), 'warning')),
    ...profile.limits.map((limit, index) => row(`limit ${index}`, sentence('Limit'), say(limit), 'info')),
  ];
}
