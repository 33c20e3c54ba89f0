import type { BlockState } from '../../protocol/lifecycle/lifecycleState.ts';
import type { SourceClass } from '../../protocol/lifecycle/policy.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { Amount } from '../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { OPEN_SOURCE_COMMAND, VIEW_COMMANDS } from '../names.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { parentOf } from '../session/subAgents.ts';
import type { Paging } from './pages.ts';
import type { Row } from './row.ts';
import { filePlace, placeText } from './sourcePlace.ts';
import { beside, paragraphs, shown, type Wording } from './wording.ts';

/** What rows are made with; what a session has to be asked for is absent until it has answered. */
export interface Drawing extends Paging {
  /** What a block takes. */
  readonly tokensOf: (session: PanelSession, blockId: string) => Amount | undefined;
  /** Whether a block's file says something else now; absent while it is not known. */
  readonly isChanged: (session: PanelSession, block: BlockState) => boolean | undefined;
  readonly eventOf: (session: PanelSession, seq: number) => LogEvent | undefined;
}

/**
 * The rows of one session, or of several below a row for each. A session joins when there is something of it to show; a live one
 * unfolded, so that what a person looked at stays seen, and what status bar and editors show from now on is seen too.
 */
export function bySession(
  { all, current }: PanelSessions,
  { view, wording }: Drawing,
  rowsOf: (session: PanelSession) => readonly Row[],
): readonly Row[] {
  const shownOnes = all.filter(({ link, state }) => link.kind !== 'connecting' || state.nextSeq > 0);
  const [only] = shownOnes;
  const withMark = (session: PanelSession): readonly Row[] => [...asOfRow(session, view, wording), ...rowsOf(session)];
  if (only && shownOnes.length === 1) {
    return withMark(only);
  }
  return shownOnes.map(session => {
    const child = subAgentText(session, all, wording);
    const link = linkText(session, wording);
    const marked = session === current ? wording.say(sentence('shown in editors')) : '';
    const description = beside([child, link, marked, shown(session.header.id)]);
    return {
      id: rowId(view, session, 'session'),
      label: sessionName(session),
      description,
      icon: 'pulse',
      ...greyed(session),
      spoken: wording.say(
        sentence(
          'Session {0}, {1}.',
          beside([sessionName(session), child]),
          marked === '' ? link : `${link}, ${marked}`,
        ),
      ),
      about: { session: session.key },
      kind: `session.${session.link.kind}`,
      children: () => withMark(session),
      expanded: session === current || (session.link.kind === 'connected' && child === ''),
    };
  });
}

/** Stands above the rows of a session that is shown as it was, and leads back. */
function asOfRow(session: PanelSession, view: string, { say, time }: Wording): readonly Row[] {
  const { asOf, key, state } = session;
  if (asOf === undefined) {
    return [];
  }
  const label = say(sentence('As of request {0}', asOf));
  const back = say(sentence('Back to now'));
  const meaning = say(
    sentence('This is how the session was when request {0} had been sealed ({1}).', asOf, time(state.time ?? 0)),
  );
  return [
    {
      id: rowId(view, session, 'as of'),
      label,
      description: back,
      tooltip: paragraphs([meaning, say(sentence('A click shows it as it is now.'))]),
      icon: 'history',
      color: 'problemsInfoIcon.foreground',
      spoken: `${meaning} ${back}.`,
      kind: 'asOf',
      command: { command: VIEW_COMMANDS.showStateOfNow, title: back, arguments: [{ session: key }] },
    },
  ];
}

/** Of each name in a row's id, in UTF-16 code units: ids go to the editor's window with each change of a row. */
const NAME_LENGTH = 300;

/** It names view, session and thing, and is unique among all views' rows where names are not absurdly long. */
export function rowId(view: string, { key }: PanelSession, ...thing: readonly (string | number)[]): string {
  return JSON.stringify([
    view,
    key,
    ...thing.map(name => (typeof name === 'string' ? name.slice(0, NAME_LENGTH) : name)),
  ]);
}

/** `pi · my-project`. */
export function sessionName({ header: { agent, cwd } }: PanelSession): string {
  const folder = cwd?.split(/[\\/]/).findLast(part => part !== '');
  return beside([shown(agent, 60), folder === undefined ? '' : shown(folder, 120)]);
}

/** `sub-agent of pi · my-project`; empty for a session that is nobody's. A parent that is not shown is named by its id. */
export function subAgentText(session: PanelSession, all: readonly PanelSession[], { say }: Wording): string {
  const { subAgent, parentSession } = session.header;
  if (!subAgent || parentSession === undefined) {
    return '';
  }
  const parent = parentOf(session, all);
  return say(sentence('sub-agent of {0}', parent ? sessionName(parent) : shown(parentSession)));
}

/** The state of the connection in a word or two. */
export function linkText({ link }: PanelSession, { say, time }: Wording): string {
  switch (link.kind) {
    case 'connecting':
      return say(sentence('connecting'));
    case 'connected':
      return say(sentence('connected'));
    case 'lost':
      return say(sentence('disconnected since {0}', time(link.since)));
    case 'ended':
      return say(sentence('ended at {0}', time(link.since)));
    case 'past':
      return say(sentence('past session'));
  }
}

/** What is not live any more is grey; the words say it too. */
export function greyed({ link }: PanelSession, color?: string): { readonly color?: string } {
  const isStale = link.kind === 'lost' || link.kind === 'ended';
  const shade = isStale ? 'disabledForeground' : color;
  return shade === undefined ? {} : { color: shade };
}

/** As in the editor's own trees: what a click opens leaves the focus where it is, so that a list can be walked. */
export const FROM_A_ROW = { preserveFocus: true } as const;

/** Opens the source's line; nothing for a source that is no file. */
export function openSource(
  { header: { cwd } }: PanelSession,
  source: string,
  line: number | undefined,
  { say }: Wording,
): Pick<Row, 'command'> {
  const place = filePlace(source, cwd, line);
  return place
    ? { command: { command: OPEN_SOURCE_COMMAND, title: say(sentence('Open')), arguments: [place, FROM_A_ROW] } }
    : {};
}

/** Opens the exact request. */
export function openRequest({ key }: PanelSession, request: number, { say }: Wording): Pick<Row, 'command'> {
  const title = say(sentence('Show request {0}', request));
  return { command: { command: VIEW_COMMANDS.showRequest, title, arguments: [{ session: key, request }, FROM_A_ROW] } };
}

/** A source's line as a row shows it. */
export function placeIn({ header: { cwd } }: PanelSession, source: string, line?: number): string {
  return placeText(source, cwd, line);
}

/** A class of sources in words of a person. */
export function classText({ say }: Wording, sourceClass: SourceClass): string {
  return say({ template: CLASSES[sourceClass], values: [] });
}

const CLASSES = {
  'context-file': 'context file',
  plugin: 'plug-in',
  'host-workflow': 'workflow of the agent',
  editor: 'editor',
  user: 'message of the user',
  assistant: 'answer of the model',
  'tool-result': 'tool result',
  'repository-file': 'file of the repository',
  web: 'web page',
  summary: 'summary',
  handoff: 'handoff',
} as const satisfies Record<SourceClass, string>;
