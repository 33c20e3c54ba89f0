import { BudgetContents } from '../../protocol/budget/budgetContents.ts';
import type { BudgetData, Edit } from '../../protocol/budget/budgetEvents.ts';
import { type EditedEntry, editNumber } from '../../protocol/budget/editedEntry.ts';
import type { SavedSession } from '../../protocol/budget/handoff/saveHandoff.ts';
import type { MessageFormat } from '../../protocol/lifecycle/messageFormat.ts';
import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import { isJsonObject } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { RequestHistory } from '../../protocol/request/requestHistory.ts';
import type { SurfaceEntry } from '../../protocol/request/surfaceEntry.ts';
import { UnitStories } from '../budget/unitStories.ts';
import { sha256 } from '../hashing.ts';
import { messageFormat } from './messageFormats.ts';

/** A log, as far as its events fit together. */
export interface LoggedSession {
  readonly header: LogHeader;
  readonly events: readonly LogEvent[];
  readonly state: SessionState;
  readonly history: RequestHistory;
}

/** A session that cannot be saved from its log; the sentence says why. */
export class UnsavableSessionError extends Error {
  override readonly name = 'UnsavableSessionError';
}

/**
 * What `saveHandoff` needs of a session, from its log alone: its view is what the last request showed. `created` is in Unix
 * milliseconds. Throws `UnsavableSessionError` where the log holds no content, or its messages are of a form that nobody here reads,
 * and `CorruptLogError`.
 */
export function savedSession(log: LoggedSession, created: number): SavedSession {
  const { header, events, state, history } = log;
  const format = formatOf(log);
  const contents = new BudgetContents();
  const stories = new UnitStories();
  const edits = new Map<number, Edit>();
  let parent: SavedSession['parent'];
  for (const event of events) {
    contents.remember(event);
    stories.remember(event);
    if (event.type === 'budget/edit') {
      const edit = event.data as unknown as Edit;
      edits.set(edit.edit, edit);
    } else if (event.type === 'budget/handoff') {
      parent = parentIn(event.data as unknown as BudgetData<'budget/handoff'>) ?? parent;
    }
  }
  return {
    session: header.id,
    ...(parent && { parent }),
    created,
    view: {
      entries: history.surface.flatMap(entry => entryOf(entry, format, edits) ?? []),
      // What they made of the view stands in it.
      edits: [],
      format,
      timeOf: unit => stories.timeOf(unit),
      topicOf: unit => stories.topicOf(unit, state.lifecycle),
      sha256,
    },
    fold: state,
    contents,
    events,
    gaps: gapsOf(log),
  };
}

function formatOf({ events, state }: LoggedSession): MessageFormat {
  const { opened } = state;
  if (!opened) {
    throw new UnsavableSessionError('Nothing happened in this session, so there is nothing to save.');
  }
  if (
    events.some(({ type, data }) => type === 'session/opened' && isJsonObject(data) && data['content'] === 'hashes')
  ) {
    throw new UnsavableSessionError(
      'This log holds hashes in place of content, so the session cannot be saved. Set "content" to "full" in config.json for sessions to come.',
    );
  }
  const format = messageFormat(opened.format);
  if (!format) {
    throw new UnsavableSessionError(
      `Its messages are of the form ${JSON.stringify(opened.format)}, which this program does not read. Save it with the program that runs this agent.`,
    );
  }
  return format;
}

function parentIn({ action, from, sessions = [] }: BudgetData<'budget/handoff'>): SavedSession['parent'] {
  return action === 'resumed' && from !== undefined ? { session: from, sessions } : undefined;
}

/** An entry of the view that the last request showed; absent for an event that shows nothing. */
function entryOf(
  { message, keys, event }: SurfaceEntry,
  format: MessageFormat,
  edits: ReadonlyMap<number, Edit>,
): EditedEntry | undefined {
  if (!message) {
    return undefined;
  }
  const edit = edits.get(editNumber(keys[0] ?? '') ?? 0);
  const shown = { message, changed: false, keys, calls: [], answers: [] };
  const isAppended = isJsonObject(event.data) && event.data['after'] !== undefined;
  if (edit || isAppended) {
    return edit ? { ...shown, edit } : shown;
  }
  const { role, calls, units } = format.describe(message);
  return { ...shown, role, calls, answers: units.flatMap(({ answers }) => answers ?? []) };
}

/** Answers come into a log with the request after them. */
function gapsOf({ header, state, history }: LoggedSession): readonly string[] {
  const ended = state.requests.get(state.requests.length - 1)?.ended;
  const isUnseen = ended?.outcome === 'completed' && !history.surface.some(({ seq }) => seq > ended.seq);
  return isUnseen
    ? [`What the model answered last is not known: the log of session ${JSON.stringify(header.id)} ends before it.`]
    : [];
}
