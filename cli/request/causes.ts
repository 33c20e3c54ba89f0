import { editKey } from '../../protocol/budget/editedEntry.ts';
import { tagLine } from '../../protocol/lifecycle/declaration.ts';
import type { EventData } from '../../protocol/log/sessionEvents.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { Hunk } from './lineDiff.ts';

export type Part = EventData<'request/sealed'>['changes'][number]['part'];

/** The member of a header event that holds a part. */
const MEMBERS: Readonly<Record<string, string>> = { prefix: 'messagePrefix' };

/** The events that the log names as causes of what changed between two requests. */
export class Causes {
  readonly #byPart = new Map<string, readonly LogEvent[]>();

  /** Between the two requests. */
  readonly #between: readonly LogEvent[];

  /** `first` and `last` are the `request/sealed` events; what caused the first one itself is not looked at. */
  constructor(events: readonly LogEvent[], first: LogEvent, last: LogEvent) {
    const between = events.slice(first.seq + 1, last.seq + 1);
    this.#between = between;
    for (const { data } of between.filter(({ type }) => type === 'request/sealed')) {
      const { changes } = data as unknown as EventData<'request/sealed'>;
      for (const { part, causes } of changes) {
        const named = causes.flatMap(seq => events[seq] ?? []);
        this.#byPart.set(part, inOrder([...(this.#byPart.get(part) ?? []), ...named]));
      }
    }
  }

  /** Where the log names none, as after a resume: the events that wrote the part, and the blocks' own. */
  ofPart(part: Part): readonly LogEvent[] {
    return this.#byPart.get(part) ?? this.#between.filter(event => holdsPart(event, part));
  }

  /** Of the causes of its part those whose block stands in the hunk's changed lines; all of them where none does. */
  ofHunk(part: Part, hunk: Hunk, all: readonly Hunk[]): readonly LogEvent[] {
    const causes = this.ofPart(part);
    const own = causes.filter(cause => isAbout(hunk, cause));
    const placed = causes.filter(cause => all.some(other => isAbout(other, cause)));
    return own.length > 0 ? own : causes.filter(cause => !placed.includes(cause));
  }

  /**
   * What explains that messages were replaced: what the log names for their units, else the replacing events themselves. A summary has
   * a unit of its own, so the events of what was `replaced` count too.
   */
  ofReplacements(replacements: readonly LogEvent[], replaced: readonly LogEvent[] = []): readonly LogEvent[] {
    if (replacements.length === 0) {
      return [];
    }
    const units = new Set([...replaced, ...replacements].flatMap(unitsOf));
    const named = this.ofPart('messages').filter(
      cause => replacements.includes(cause) || unitsOf(cause).some(unit => units.has(unit)),
    );
    return named.length > 0 ? inOrder(named) : replacements;
  }
}

/** A whole header holds every part, and blocks stand in the prefix. */
function holdsPart({ type, data }: LogEvent, part: Part): boolean {
  switch (type) {
    case 'request/header':
      return part !== 'messages';
    case 'request/header-delta':
      return isJsonObject(data) && Object.hasOwn(data, MEMBERS[part] ?? part);
    case 'block/activated':
    case 'block/discarded':
      return part === 'prefix';
    default:
      return false;
  }
}

function isAbout({ lines }: Hunk, { data }: LogEvent): boolean {
  const blockId = isJsonObject(data) ? data['blockId'] : undefined;
  const tag = typeof blockId === 'string' ? tagLine('opening', blockId) : undefined;
  return tag !== undefined && lines.some(line => !line.startsWith(' ') && line.slice(1).trim() === tag);
}

/** Of a message event all its units, of an event about one unit that one, of an edit what it took and the message that it shows. */
function unitsOf({ type, data }: LogEvent): readonly string[] {
  const { unit, units, edit } = isJsonObject(data) ? data : ({} as JsonObject);
  const shown = type === 'budget/edit' && typeof edit === 'number' ? [editKey({ edit })] : [];
  const all = [...(isJsonArray(units) ? units : [unit]), ...shown];
  return all.filter(each => typeof each === 'string');
}

function inOrder(events: readonly LogEvent[]): readonly LogEvent[] {
  return [...new Set(events)].sort((a, b) => a.seq - b.seq);
}
