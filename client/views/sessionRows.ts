import {
  type Policy,
  type PolicyRule,
  type Right,
  SOURCE_CLASSES,
  type SourceClass,
} from '../../protocol/lifecycle/policy.ts';
import { grouped } from '../../protocol/log/countText.ts';
import { partText } from '../../protocol/log/priceWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { RequestState } from '../../protocol/log/sessionState.ts';
import { CHOOSE_SESSION_COMMAND } from '../names.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { budgetRow } from './budgetRow.ts';
import { classText, type Drawing, greyed, linkText, openRequest, rowId, sessionName, subAgentText } from './drawing.ts';
import { pagedRows } from './pages.ts';
import { profileRows } from './profileRows.ts';
import { causeTexts, sizesText } from './requestWords.ts';
import type { Row } from './row.ts';
import { beside, paragraphs, shown, type Wording } from './wording.ts';

/** Requests that are looked at for the last change of a header; earlier ones are long past. */
const LOOKED_BACK = 1_000;

/** Each session with its agent, its folder, the connection, what its policy allows, and how stable its header is. */
export function sessionRows({ all, current }: PanelSessions, drawing: Drawing): readonly Row[] {
  const { view, wording } = drawing;
  return all.map(session => {
    const link = linkText(session, wording);
    const isOneOfMany = all.length > 1;
    const child = subAgentText(session, all, wording);
    const marked = isOneOfMany ? wording.say(sentence('shown in editors')) : '';
    return {
      id: rowId(view, session, 'session'),
      label: sessionName(session),
      description: beside([child, link, session === current ? marked : '', shown(session.header.id)]),
      tooltip: paragraphs([sessionName(session), child, linkSentence(session, wording)]),
      icon: session.link.kind === 'past' ? 'history' : 'pulse',
      ...greyed(session, session.link.kind === 'connected' ? 'testing.iconPassed' : undefined),
      spoken: wording.say(
        sentence(
          'Session {0}, {1}.',
          beside([sessionName(session), child]),
          session === current && isOneOfMany ? `${link}, ${marked}` : link,
        ),
      ),
      about: { session: session.key },
      kind: `session.${session.link.kind}`,
      ...(isOneOfMany && chooseOf(session, wording)),
      children: () => details(session, drawing),
      expanded: session === current || all.length === 1,
    };
  });
}

/** Status bar and editors are about one session: that whose row was clicked last. */
function chooseOf({ key }: PanelSession, { say }: Wording): Pick<Row, 'command'> {
  return {
    command: { command: CHOOSE_SESSION_COMMAND, title: say(sentence('Show in editors')), arguments: [key] },
  };
}

function details(session: PanelSession, drawing: Drawing): readonly Row[] {
  const { view, wording } = drawing;
  const { say, time } = wording;
  const { header, state, policy, mayDiscard, logFile } = session;
  const { opened } = state;
  const row = (name: string, label: string, description: string, icon: string, more: Partial<Row> = {}): Row => ({
    id: rowId(view, session, name),
    label,
    description: shown(description),
    tooltip: paragraphs([`${label}: ${shown(description, 1_000)}`]),
    icon,
    spoken: `${label}: ${description}`,
    kind: `session.${name}`,
    ...more,
  });
  const version = opened?.agentVersion;
  const last = state.requests.get(state.requests.length - 1);
  return [
    row('link', say(sentence('Connection')), linkSentence(session, wording), 'plug', greyed(session)),
    row(
      'agent',
      say(sentence('Agent')),
      shown(version === undefined ? header.agent : `${header.agent} ${version}`),
      'robot',
    ),
    ...(header.cwd === undefined ? [] : [row('cwd', say(sentence('Folder')), shown(header.cwd, 1_000), 'folder')]),
    row('began', say(sentence('Began')), time(header.created), 'calendar'),
    row('policy', say(sentence('Policy')), policyShortly(policy, wording), 'law', {
      children: () => policyRows(session, drawing),
    }),
    row(
      'discard',
      say(sentence('Discard from here')),
      say(mayDiscard ? sentence('allowed') : sentence('not allowed')),
      'circle-slash',
    ),
    ...profileRows(session, drawing),
    headerRow(session, drawing, row),
    ...(last?.sealed.sizes
      ? [row('usage', say(sentence('Last request')), sizesText(last.sealed.sizes, wording), 'graph')]
      : []),
    ...budgetRow(session, drawing, row),
    ...(opened?.earlierUnknown
      ? [row('earlier', say(sentence('Before the log')), say(sentence('earlier discards are unknown')), 'warning')]
      : []),
    ...(opened?.content === 'hashes'
      ? [row('content', say(sentence('Content')), say(sentence('the log holds hashes in its place')), 'lock')]
      : []),
    ...(state.unknown > 0 ? [row('unknown', say(sentence('Unknown events')), grouped(state.unknown), 'question')] : []),
    ...(logFile === undefined ? [] : [row('log', say(sentence('Log')), shown(logFile, 1_000), 'output')]),
    ...(state.problems.length === 0 ? [] : [problemsRow(session, drawing, row)]),
  ];
}

export type MakeRow = (name: string, label: string, description: string, icon: string, more?: Partial<Row>) => Row;

function linkSentence({ link }: PanelSession, { say, time }: Wording): string {
  switch (link.kind) {
    case 'connecting':
      return say(sentence('connecting…'));
    case 'connected':
      return say(sentence('connected: what happens is shown at once'));
    case 'lost':
      return say(sentence('lost at {0}, tried again by itself: {1}', time(link.since), shown(link.sentence, 400)));
    case 'ended':
      return say(sentence('over since {0}: {1}', time(link.since), shown(link.sentence, 400)));
    case 'past':
      return say(sentence('none: this is a past session, read from its log'));
  }
}

/** The classes that may do something at all. */
function policyShortly(policy: Policy, { say }: Wording): string {
  const rules = policy.rules.length;
  return say(rules === 1 ? sentence('1 rule') : sentence('{0} rules', rules));
}

const RIGHTS = {
  define: 'may define blocks',
  discard: 'may discard blocks',
  ephemeral: 'may be ephemeral',
} as const satisfies Record<Right, string>;

/** What each class of sources may do; the first rule that fits a source decides. */
function policyRows(session: PanelSession, drawing: Drawing): readonly Row[] {
  const { view, wording } = drawing;
  return SOURCE_CLASSES.map(sourceClass => {
    const rules = session.policy.rules.filter(rule => rule.class === sourceClass);
    const label = classText(wording, sourceClass);
    const may = policyText(sourceClass, rules, wording);
    return {
      id: rowId(view, session, 'policy', sourceClass),
      label,
      description: shown(may),
      tooltip: paragraphs([`${label} (${sourceClass})`, shown(may, 2_000)]),
      icon: rules.some(rule => rule.may.length > 0) ? 'check' : 'dash',
      spoken: `${label}: ${may}`,
      kind: 'policy',
    };
  });
}

/** What a policy says of a class, in words. */
function policyText(sourceClass: SourceClass, rules: readonly PolicyRule[], { say }: Wording): string {
  if (sourceClass === 'summary' || sourceClass === 'handoff') {
    return say(sentence('may do nothing, whatever a policy says'));
  }
  if (rules.length === 0) {
    return say(sentence('may do nothing'));
  }
  return rules
    .map(({ pattern, may }) => {
      const words =
        may.length === 0
          ? say(sentence('may do nothing'))
          : may.map(right => say({ template: RIGHTS[right], values: [] })).join(', ');
      return pattern === '*' ? words : say(sentence('{0}: {1}', shown(pattern, 100), words));
    })
    .join('; ');
}

/** Config, system prompt, tools and prefix stand before all messages: what changes there costs the whole cache. */
function headerRow(session: PanelSession, drawing: Drawing, row: MakeRow): Row {
  const { wording } = drawing;
  const { say } = wording;
  const label = say(sentence('Header'));
  const { requests } = session.state;
  const changed = lastHeaderChange(requests);
  if (!changed) {
    return row(
      'header',
      label,
      say(sentence('unchanged since request {0}', Math.max(1, requests.length - LOOKED_BACK))),
      'pinned',
    );
  }
  const { sealed } = changed;
  const parts = sealed.changes.filter(({ part }) => part !== 'messages').map(({ part }) => partText(part, wording));
  const description = say(sentence('{0} changed in request {1}', parts.join(', '), sealed.requestSequence));
  return row('header', label, description, 'pinned-dirty', {
    tooltip: paragraphs([description, ...causeTexts(session, sealed, drawing, 5)]),
    ...openRequest(session, sealed.requestSequence, wording),
  });
}

function lastHeaderChange(requests: PanelSession['state']['requests']): RequestState | undefined {
  for (let index = requests.length - 1; index >= Math.max(0, requests.length - LOOKED_BACK); index--) {
    const request = requests.get(index);
    if (request?.sealed.changes.some(({ part }) => part !== 'messages')) {
      return request;
    }
  }
  return undefined;
}

/** What a person should know, the newest first. */
function problemsRow(session: PanelSession, drawing: Drawing, row: MakeRow): Row {
  const { view, wording } = drawing;
  const { problems } = session.state;
  const list = rowId(view, session, 'problems');
  return row('problems', wording.say(sentence('Problems')), grouped(problems.length), 'warning', {
    children: () =>
      pagedRows(
        list,
        problems.length,
        index => {
          const problem = problems.get(problems.length - 1 - index);
          return (
            problem && {
              id: rowId(view, session, 'problem', problem.seq),
              label: shown(problem.sentence),
              description: wording.time(problem.time),
              tooltip: paragraphs([shown(problem.sentence, 1_000)]),
              icon: 'warning',
              kind: 'problem',
            }
          );
        },
        drawing,
      ),
  });
}
