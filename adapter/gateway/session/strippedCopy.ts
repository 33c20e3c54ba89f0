import type { KnownSource } from './knownSource.ts';

/** A line that is not blank; a comment that a host takes out may be many of them. */
interface Line {
  readonly start: number;
  /** Behind its line end. */
  readonly end: number;
  /** Without blanks around it. */
  readonly text: string;
}

/** What a host's copy shows of a source. */
export interface AlignedCopy {
  /** Ranges of the copy that hold the blocks' bodies, with the tags where they are shown; in order. */
  readonly cuts: readonly { readonly id: string; readonly start: number; readonly end: number }[];
  /** Blocks that were found, also where nothing of them is shown. */
  readonly found: ReadonlySet<string>;
  /** Where the copy ends, as far as it follows the source. */
  readonly end: number;
}

/**
 * Finds a source's blocks in a copy from which the host took block-level comments, as Claude Code does with CLAUDE.md: the tags
 * are gone, the body stays (specs/agents.md, section 5). The copy begins at `from`. Line after line must be the source's, but
 * for blank lines and comments; what stands behind the first line that is not is no copy any more, and nothing of it is given.
 */
export function alignedCopy(text: string, from: number, source: KnownSource): AlignedCopy {
  const lines = new LineReader(text, from);
  const wanted = linesOf(source.text, source.body);
  const shown: (Line | undefined)[] = wanted.map(() => undefined);
  let place = 0;
  let copy = lines.next();
  while (place < wanted.length) {
    const line = wanted[place] as Line;
    if (copy?.text === line.text) {
      shown[place++] = copy;
      copy = lines.next();
      continue;
    }
    const comment = commentAt(wanted, place);
    if (!comment) {
      break;
    }
    if (comment.rest !== '') {
      if (copy?.text !== comment.rest) {
        break;
      }
      shown[place] = copy;
      copy = lines.next();
    }
    place = comment.next;
  }
  return { ...blocksIn(source, { wanted, shown, followed: place }), end: shown.findLast(line => line)?.end ?? from };
}

/** A block counts when the copy follows the source through all of it. */
function blocksIn(
  source: KnownSource,
  {
    wanted,
    shown,
    followed,
  }: { readonly wanted: readonly Line[]; readonly shown: readonly (Line | undefined)[]; readonly followed: number },
): Pick<AlignedCopy, 'cuts' | 'found'> {
  const cuts: AlignedCopy['cuts'][number][] = [];
  const found = new Set<string>();
  for (const { id, start, end } of source.blocks) {
    const first = wanted.findIndex(line => line.start >= start);
    const after = wanted.findIndex(line => line.start >= end);
    const last = after < 0 ? wanted.length : after;
    if (first < 0 || last > followed) {
      continue;
    }
    found.add(id);
    const lines = shown.slice(first, last).filter(line => line !== undefined);
    const [opening] = lines;
    const closing = lines.at(-1);
    if (opening && closing) {
      cuts.push({ id, start: opening.start, end: closing.end });
    }
  }
  return { cuts, found };
}

/** The block-level comment that begins with this line: what stays of its lines without it, and the line behind it. */
function commentAt(lines: readonly Line[], from: number): { readonly rest: string; readonly next: number } | undefined {
  if (!lines[from]?.text.startsWith('<!--')) {
    return undefined;
  }
  for (let place = from; place < lines.length; place++) {
    if (lines[place]?.text.includes('-->')) {
      const whole = lines.slice(from, place + 1).map(({ text }) => text);
      return {
        rest: whole
          .join('\n')
          .replace(/<!--[\s\S]*?-->/g, '')
          .trim(),
        next: place + 1,
      };
    }
  }
  return undefined;
}

function linesOf(text: string, from: number): readonly Line[] {
  const reader = new LineReader(text, from);
  const lines: Line[] = [];
  for (let line = reader.next(); line; line = reader.next()) {
    lines.push(line);
  }
  return lines;
}

/** Lines that are not blank, one after the other. */
class LineReader {
  readonly #text: string;
  readonly #pattern = /\r\n|\n|\r|$/g;
  #at: number;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  next(): Line | undefined {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      this.#pattern.lastIndex = start;
      const found = this.#pattern.exec(this.#text);
      const ended = found?.index ?? this.#text.length;
      this.#at = ended + (found?.[0].length ?? 0);
      const text = this.#text.slice(start, ended).trim();
      if (text !== '') {
        return { start, end: this.#at, text };
      }
    }
    return undefined;
  }
}
