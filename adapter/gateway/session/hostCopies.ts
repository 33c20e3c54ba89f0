import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import { withHostTexts, withSystemTexts } from './hostTexts.ts';
import { type KnownSource, knownSource } from './knownSource.ts';
import type { SourceFile } from './sourceFiles.ts';
import { alignedCopy, blockCopy } from './strippedCopy.ts';

/** A source of whose blocks the host shows a copy that was not found, or not whole. */
export interface UncutSource {
  readonly path: string;
  readonly shows: 'nothing' | 'a part';
  /** The host says that it shows the file. */
  readonly isNamed: boolean;
}

/** A version of a source with the blocks that may be taken out of it. */
interface Version {
  readonly source: KnownSource;
  /** Paths by which the host may call it. */
  names: readonly string[];
  readonly blocks: ReadonlySet<string>;
  /** Of the blocks, those that were found in what the host sends. */
  readonly found: Set<string>;
  isNamed: boolean;
  /** `source` is one block out of the log; the file that it stood in is gone or another one. */
  readonly isBlock: boolean;
}

/** A host keeps the text that it read first, while the file may change many times. */
const MOST_VERSIONS = 8;

interface Remembered {
  readonly text: string;
  readonly result: string;
}

/**
 * Takes the block definitions of loaded sources out of what the host shows of them itself: in the system prompt, and in messages
 * that are no tool results (DESIGN, flow 2: the blocks' message). Texts that stand where they stood in the request before are
 * not searched again.
 */
export class HostCopies {
  readonly #without: (text: string) => string;
  readonly #versions = new Map<string, Version[]>();
  #remembered: readonly Remembered[] = [];

  /** `without` takes the definitions out of a text that a session knows. */
  constructor(without: (text: string) => string) {
    this.#without = without;
  }

  /** After the session has loaded it: a definition that it does not know stays where it is. */
  know(file: SourceFile, names: Iterable<string> = [file.path]): void {
    this.#know(file, names, false);
  }

  /** One block of a file, which is cut wherever it is shown, whatever stands around it. */
  knowBlock(block: SourceFile, names: Iterable<string>): void {
    this.#know(block, names, true);
  }

  #know(file: SourceFile, names: Iterable<string>, isBlock: boolean): void {
    const versions = this.#versions.get(file.path) ?? [];
    this.#remembered = [];
    const known = versions.find(({ source }) => source.text === file.text);
    if (known) {
      known.names = [...names];
      return;
    }
    const source = knownSource(file);
    const blocks = source.blocks.filter(({ start, end }) => this.#without(source.text.slice(start, end)) === '');
    versions.push({
      source,
      names: [...names],
      blocks: new Set(blocks.map(({ id }) => id)),
      found: new Set(),
      isNamed: false,
      isBlock,
    });
    const whole = versions.filter(version => !version.isBlock).slice(-MOST_VERSIONS);
    this.#versions.set(file.path, [...versions.filter(version => version.isBlock), ...whole]);
  }

  /** A system prompt and messages without the definitions; the same values where there are none. */
  cut(
    system: Json | undefined,
    messages: readonly JsonObject[],
  ): { readonly system: Json | undefined; readonly messages: readonly JsonObject[] } {
    if (![...this.#versions.values()].flat().some(({ blocks }) => blocks.size > 0)) {
      return { system, messages };
    }
    const before = this.#remembered;
    const remembered: Remembered[] = [];
    const change = (text: string): string => {
      const known = before[remembered.length];
      const result = known?.text === text ? known.result : this.#cutText(text);
      remembered.push({ text, result });
      return result;
    };
    const cutSystem = system === undefined ? undefined : withSystemTexts(system, change);
    let changed: JsonObject[] | undefined;
    for (const [place, message] of messages.entries()) {
      const cut = withHostTexts(message, change);
      if (cut !== message) {
        changed ??= [...messages];
        changed[place] = cut;
      }
    }
    this.#remembered = remembered;
    return { system: cutSystem, messages: changed ?? messages };
  }

  /** What is known of these sources, of those that have blocks: the ones that were not found whole. */
  uncut(paths: Iterable<string>): readonly UncutSource[] {
    return [...paths].flatMap((path): readonly UncutSource[] => {
      const all = (this.#versions.get(path) ?? []).filter(({ blocks }) => blocks.size > 0);
      const whole = all.filter(({ isBlock }) => !isBlock);
      const versions = whole.length > 0 ? whole : all;
      if (versions.length === 0 || versions.some(({ blocks, found }) => found.size === blocks.size)) {
        return [];
      }
      const shows = versions.some(({ found }) => found.size > 0) ? 'a part' : 'nothing';
      return [{ path, shows, isNamed: versions.some(({ isNamed }) => isNamed) }];
    });
  }

  #cutText(text: string): string {
    let cut = text;
    for (const versions of this.#versions.values()) {
      // the newest first: an older one may be a part of it
      for (const version of versions.toReversed()) {
        if (version.blocks.size > 0) {
          const regions = version.names.reduce((left, name) => this.#cutRegions(left, name, version), cut);
          cut = this.#cutCopies(regions, version);
        }
      }
    }
    return cut;
  }

  /** Where the host names the file and shows it behind that, perhaps without comments. */
  #cutRegions(text: string, name: string, version: Version): string {
    const { source, blocks, found } = version;
    const anchor = `Contents of ${name} (`;
    const pieces: string[] = [];
    let from = 0;
    for (let at = text.indexOf(anchor); at >= 0; at = text.indexOf(anchor, Math.max(from, at + anchor.length))) {
      const lineEnd = text.indexOf('\n', at);
      if (lineEnd < 0) {
        break;
      }
      version.isNamed = true;
      const copy = version.isBlock ? blockCopy(text, lineEnd + 1, source) : alignedCopy(text, lineEnd + 1, source);
      for (const id of copy.found) {
        note(found, blocks, id);
      }
      for (const { id, start, end } of copy.cuts) {
        if (blocks.has(id)) {
          pieces.push(text.slice(from, start));
          from = end;
        }
      }
    }
    return from === 0 ? text : pieces.join('') + text.slice(from);
  }

  /** Where the host shows the whole text, word for word. */
  #cutCopies(text: string, { source, blocks, found }: Version): string {
    return source.shown.reduce((cut, whole) => {
      if (!cut.includes(whole)) {
        return cut;
      }
      for (const id of blocks) {
        note(found, blocks, id);
      }
      const without = this.#without(whole);
      return cut.replaceAll(whole, () => without);
    }, text);
  }
}

function note(found: Set<string>, blocks: ReadonlySet<string>, id: string): void {
  if (blocks.has(id)) {
    found.add(id);
  }
}
