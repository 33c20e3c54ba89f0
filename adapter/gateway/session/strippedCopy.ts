import type { KnownSource } from './knownSource.ts';
import { type Line, LineReader } from './textLines.ts';

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
  const wanted = source.lines;
  /** One for each line of the source that was followed. */
  const shown: (Line | undefined)[] = [];
  let place = 0;
  let copy = lines.next();
  while (place < wanted.length) {
    const line = wanted[place] as Line;
    if (copy?.text === line.text) {
      shown.push(copy);
      place++;
      copy = lines.next();
      continue;
    }
    const comment = commentAt(wanted, place);
    if (!comment) {
      break;
    }
    const isShown = comment.rest !== '';
    if (isShown && copy?.text !== comment.rest) {
      break;
    }
    shown.push(isShown ? copy : undefined);
    copy = isShown ? lines.next() : copy;
    while (++place < comment.next) {
      shown.push(undefined);
    }
  }
  return { ...blocksIn(source, shown), end: shown.findLast(line => line)?.end ?? from };
}

/** Where the host names the next file, and where its instructions end. */
const NEXT_FILE = /^Contents of .+ \(|^<\/system-reminder>/u;

/**
 * Finds the one block that `source` consists of in the copy of a file that begins at `from`, whatever stands around it there: its
 * lines one after the other, but for blank lines and comments.
 */
export function blockCopy(text: string, from: number, source: KnownSource): AlignedCopy {
  const [opening] = source.lines;
  const first = source.lines.find(line => !line.text.startsWith('<!--'));
  const lines = new LineReader(text, from);
  for (let line = lines.next(); line && !NEXT_FILE.test(line.text); line = lines.next()) {
    if (line.text === first?.text || line.text === opening?.text) {
      const copy = alignedCopy(text, line.start, source);
      if (copy.found.size > 0) {
        return copy;
      }
    }
  }
  return { cuts: [], found: new Set(), end: from };
}

/** A block counts when the copy follows the source through all of it. */
function blocksIn({ blocks }: KnownSource, shown: readonly (Line | undefined)[]): Pick<AlignedCopy, 'cuts' | 'found'> {
  const cuts: AlignedCopy['cuts'][number][] = [];
  const found = new Set<string>();
  for (const { id, firstLine, lineBehind } of blocks) {
    if (lineBehind > shown.length) {
      break;
    }
    found.add(id);
    const lines = shown.slice(firstLine, lineBehind).filter(line => line !== undefined);
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
