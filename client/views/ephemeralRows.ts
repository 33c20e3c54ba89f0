import type { EphemeralState } from '../../protocol/lifecycle/lifecycleState.ts';
import type { Message } from '../../protocol/lifecycle/text.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { bySession, classText, type Drawing, greyed, openRequest, placeIn, rowId } from './drawing.ts';
import { pagedRows } from './pages.ts';
import type { Row } from './row.ts';
import { beside, bytesText, paragraphs, shown } from './wording.ts';

/** Where ephemeral content is on its way; the newest come first. */
type Phase = 'waiting' | 'inFlight' | 'consumed';

/** Ephemeral messages: waiting, in flight, and consumed with the bytes that this freed. */
export function ephemeralRows(sessions: PanelSessions, drawing: Drawing): readonly Row[] {
  return bySession(sessions, drawing, session => groups(session, drawing));
}

const TITLES: Readonly<Record<Phase, Message>> = {
  waiting: sentence('Waiting'),
  inFlight: sentence('In flight'),
  consumed: sentence('Consumed'),
};

const ICONS: Readonly<Record<Phase, string>> = { waiting: 'watch', inFlight: 'arrow-up', consumed: 'check' };

function groups(session: PanelSession, drawing: Drawing): readonly Row[] {
  const { state } = session;
  const phases: Readonly<Record<Phase, number[]>> = { waiting: [], inFlight: [], consumed: [] };
  let freed = 0;
  for (let index = state.lifecycle.ephemerals.length - 1; index >= 0; index--) {
    const ephemeral = state.lifecycle.ephemerals.get(index);
    if (ephemeral) {
      phases[phaseOf(ephemeral, state)].push(index);
      freed += freedBy(ephemeral);
    }
  }
  const { view, wording } = drawing;
  return (['waiting', 'inFlight', 'consumed'] as const)
    .filter(phase => phases[phase].length > 0)
    .map(phase => {
      const id = rowId(view, session, phase);
      const indices = phases[phase];
      const label = wording.say(TITLES[phase]);
      const freedText = phase === 'consumed' ? wording.say(sentence('{0} freed', bytesText(wording, freed))) : '';
      return {
        id,
        label,
        description: beside([String(indices.length), freedText]),
        spoken: wording.say(sentence('{0}: {1}. {2}', label, indices.length, freedText)).trim(),
        kind: `group.${phase}`,
        children: () =>
          pagedRows(id, indices.length, at => ephemeralRow(session, indices[at] ?? 0, phase, drawing), drawing),
        expanded: true,
      };
    });
}

/** In flight while a request that holds it is being answered; before and after that it waits. */
function phaseOf({ admitted, consumed }: EphemeralState, { requests }: SessionState): Phase {
  if (consumed || !admitted) {
    return 'consumed';
  }
  const last = requests.get(requests.length - 1);
  return last && admitted.requestSequence <= requests.length && !last.ended ? 'inFlight' : 'waiting';
}

function freedBy({ bytes, consumed }: EphemeralState): number {
  return consumed ? Math.max(0, bytes - consumed.tombstoneBytes) : 0;
}

function ephemeralRow(session: PanelSession, index: number, phase: Phase, drawing: Drawing): Row | undefined {
  const ephemeral = session.state.lifecycle.ephemerals.get(index);
  if (!ephemeral) {
    return undefined;
  }
  const { view, wording } = drawing;
  const { say, time } = wording;
  const { source, class: sourceClass, bytes, admitted, consumed, unit } = ephemeral;
  const name = placeIn(session, source);
  const size = bytesText(wording, bytes);
  const freed = consumed ? say(sentence('{0} freed', bytesText(wording, freedBy(ephemeral)))) : '';
  const what = say(whatHappens(ephemeral, session.state));
  const request = consumed?.requestSequence ?? admitted?.requestSequence;
  return {
    id: rowId(view, session, 'ephemeral', index),
    label: name,
    description: beside([size, freed, say(shortly(ephemeral, phase))]),
    tooltip: paragraphs([
      what,
      say(sentence('{0} ({1})', shown(source), classText(wording, sourceClass))),
      say(sentence('Unit: {0}', shown(unit))),
      admitted ? say(sentence('First sent in request {0}, {1}', admitted.requestSequence, time(admitted.time))) : '',
      consumed ? say(sentence('Consumed: {0}', time(consumed.time))) : '',
      consumed ? say(sentence('{0} before, {1} now', size, bytesText(wording, consumed.tombstoneBytes))) : '',
    ]),
    icon: ICONS[phase],
    ...greyed(session, phase === 'inFlight' ? 'charts.blue' : undefined),
    spoken: say(sentence('Ephemeral content of {0}, {1}. {2}', name, size, what)),
    kind: `ephemeral.${phase}`,
    ...(request !== undefined && request <= session.state.requests.length && openRequest(session, request, wording)),
  };
}

function shortly({ admitted, consumed }: EphemeralState, phase: Phase): Message {
  if (consumed) {
    return sentence('since request {0}', consumed.requestSequence);
  }
  return phase === 'inFlight'
    ? sentence('whole since request {0}', admitted?.requestSequence ?? 0)
    : sentence('for request {0}', admitted?.requestSequence ?? 0);
}

/** Where it stands, as a sentence. */
function whatHappens({ admitted, consumed }: EphemeralState, { requests }: SessionState): Message {
  if (consumed || !admitted) {
    return sentence('A tombstone stands for it since request {0}.', consumed?.requestSequence ?? 0);
  }
  if (admitted.requestSequence > requests.length) {
    return sentence('It goes whole into request {0}, which is being built.', admitted.requestSequence);
  }
  const ended = requests.get(requests.length - 1)?.ended;
  if (!ended) {
    return sentence('It is whole in request {0}, which is being answered.', requests.length);
  }
  return ended.outcome === 'failed' || ended.outcome === 'aborted'
    ? sentence('The answer to request {0} did not come to its end, so it is sent whole again.', requests.length)
    : sentence('Request {0} was answered: a tombstone takes its place in the next request.', requests.length);
}
