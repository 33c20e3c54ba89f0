import type { MessageFormat } from '../../lifecycle/messageFormat.ts';
import type { ViewEntry } from '../../lifecycle/view.ts';
import { isContainer, isJsonObject, type Json } from '../../request/json.ts';
import type { Group } from '../groups.ts';
import type { SummaryGroup, SummaryUnit } from './summarizer.ts';

/** What a group is read with. */
export interface GroupReading {
  readonly format: MessageFormat;
  readonly timeOf?: (unit: string) => number | undefined;
  readonly topicOf?: (unit: string) => string | undefined;
}

/** What a path is made of; a longer run of it is none. */
const PATH_CHARACTERS = /[\w.@~/-]+/g;
const LONGEST_PATH = 200;

/** A path has a folder, or is a file's name with an extension of letters. */
const PATH = /[\w@~-]\/[\w@~-]|^[\w-]+\.[a-z]{1,5}$/;

/** Of one group at most so many paths are told, and of one text so many characters looked at for them. */
const MOST_PATHS = 20;
const LONGEST_SEARCH = 20_000;

/** Values of a message that are nested deeper are not looked at. */
const DEEPEST = 8;

/** The group as a summariser is shown it. */
export function summaryGroupOf(group: Group, reading: GroupReading): SummaryGroup {
  const topic = group.keys.map(key => reading.topicOf?.(key)).find(found => found !== undefined);
  return {
    units: group.entries.flatMap(entry => unitsOf(entry, reading)),
    paths: pathsOf(group.entries.map(({ message }) => message)),
    ...(topic !== undefined && { topic }),
  };
}

function unitsOf({ message, keys }: ViewEntry, { format, timeOf }: GroupReading): readonly SummaryUnit[] {
  const { role, units } = format.describe(message);
  const failed = namesOfFailed(message);
  return units.flatMap((unit, place) => {
    const key = keys[place];
    if (key === undefined) {
      return [];
    }
    const time = timeOf?.(key);
    const isResult = unit.answers !== undefined || unit.class === 'tool-result' || role === 'tool';
    return [
      {
        unit: key,
        kind: isResult ? 'tool-result' : role === 'system' ? 'other' : role,
        text: unit.texts.join('\n'),
        isError: isResult && failed.size > 0 && (units.length === 1 || failed.has(unit.answers ?? '')),
        ...(time !== undefined && { time }),
      },
    ];
  });
}

/**
 * Texts that stand beside the mark of a failed tool, its call's id among them. Agents have a few such marks; what a result's
 * text says is not asked here.
 */
function namesOfFailed(value: Json, depth = 0): ReadonlySet<string> {
  if (!isContainer(value) || depth > DEEPEST) {
    return NO_NAMES;
  }
  const members = Object.values(value) as readonly Json[];
  const inner = members.flatMap(member => [...namesOfFailed(member, depth + 1)]);
  const { isError, is_error: isErrorToo, status } = isJsonObject(value) ? value : {};
  const own = isError === true || isErrorToo === true || status === 'error' ? ['', ...members.filter(isText)] : [];
  return inner.length + own.length > 0 ? new Set([...inner, ...own]) : NO_NAMES;
}

const NO_NAMES: ReadonlySet<string> = new Set();

function isText(value: Json): value is string {
  return typeof value === 'string';
}

/** The files that texts and arguments of calls name, each once. */
function pathsOf(messages: readonly Json[]): readonly string[] {
  const paths = new Set<string>();
  for (const text of messages.flatMap(message => textsIn(message))) {
    for (const [run] of text.slice(0, LONGEST_SEARCH).matchAll(PATH_CHARACTERS)) {
      if (paths.size === MOST_PATHS) {
        return [...paths];
      }
      if (run.length <= LONGEST_PATH && PATH.test(run)) {
        paths.add(run.replace(/\.$/, ''));
      }
    }
  }
  return [...paths];
}

/** Every text of a JSON value, but not the names of its members. */
export function textsIn(value: Json, depth = 0): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return isContainer(value) && depth <= DEEPEST ? Object.values(value).flatMap(item => textsIn(item, depth + 1)) : [];
}
