import { sumOf } from '../../protocol/log/amounts.ts';
import { countText } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { PanelSession, RebaseOutcome, UpdateOutcome } from '../session/sessionModel.ts';
import type { Wording } from '../views/wording.ts';

type Say = Pick<Wording, 'say'>;

/** The ID of the task among the lines of the first tier. */
export const TASK_ID = 'objective';

/** IDs that no constraint may have. */
const TAKEN: readonly string[] = [TASK_ID, 'identity', 'outputFormat'];
const LONGEST_ID = 80;
/** Of a line: it stands in every request. */
const LONGEST_TEXT = 10_000;

/** Why a session is not even asked; absent where it may be. */
export function tier1Refusal({ link }: PanelSession, { say }: Say): string | undefined {
  return link.kind === 'connected'
    ? undefined
    : say(sentence('This session is not connected, so its task and its constraints cannot be changed.'));
}

export function layerOffText({ say }: Say): string {
  return say(sentence('The budget layer is off in this session, so it has no task and no constraints to change.'));
}

/** What a session answered, in words. */
export function updateText(outcome: UpdateOutcome, { say }: Say): string {
  switch (outcome) {
    case 'updated':
      return say(sentence('The model is told with the next request; the prefix stays as it is.'));
    case 'unchanged':
      return say(sentence('Nothing changed: the session has it so already.'));
    case 'denied':
      return say(sentence('The policy of the session does not let an editor change its task and its constraints.'));
    case 'off':
      return layerOffText({ say });
  }
}

export function rebaseText(outcome: RebaseOutcome, { say }: Say): string {
  switch (outcome) {
    case 'rebased':
      return say(sentence('The prefix is written anew with the next request.'));
    case 'unchanged':
      return say(sentence('Nothing changed: the prefix holds the task and the constraints as they are.'));
    case 'denied':
      return say(sentence('The policy of the session does not let an editor write its prefix anew.'));
    case 'off':
      return layerOffText({ say });
  }
}

/** What a rebase costs, as far as the last request tells: all that stands behind system prompt and tools is sent anew. */
export function rebasePriceText({ requests }: Pick<SessionState, 'requests'>, { say }: Say): string {
  const sizes = requests.get(requests.length - 1)?.sealed.sizes;
  const what = say(sentence('The changes of the task and of the constraints are written into the prefix.'));
  const price = sizes
    ? say(
        sentence(
          "It costs the provider's cache once: {0} tokens are sent anew, as the last request has them.",
          countText(sumOf([sizes.prefix, sizes.messages])),
        ),
      )
    : say(sentence("It costs the provider's cache once: all messages are sent anew."));
  return `${what}\n${price}`;
}

/** What is wrong with the ID of a new constraint; absent where nothing is. */
export function idProblem(id: string, known: readonly string[], { say }: Say): string | undefined {
  if (id.trim() === '') {
    return say(sentence('A constraint needs an ID, so that it can be changed later.'));
  }
  if (TAKEN.includes(id.trim()) || known.includes(id.trim())) {
    return say(sentence('There is something with this ID already.'));
  }
  return id.trim().length > LONGEST_ID
    ? say(sentence('An ID may have {0} characters at most.', LONGEST_ID))
    : undefined;
}

/** What is wrong with a line of the first tier; absent where nothing is. */
export function lineProblem(text: string, { say }: Say): string | undefined {
  return text.length > LONGEST_TEXT
    ? say(sentence('This is too long: it stands in every request. At most {0} characters.', LONGEST_TEXT))
    : undefined;
}

/** An ID for a new constraint, made of its first words. */
export function idFor(text: string, known: readonly string[]): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const base = words.slice(0, 3).join('-').slice(0, 40) || 'constraint';
  const taken = new Set([...TAKEN, ...known]);
  let id = base;
  for (let number = 2; taken.has(id); number++) {
    id = `${base}-${number}`;
  }
  return id;
}
