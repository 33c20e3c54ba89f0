import { type Declaration, declaredKindAt, finishDeclaration } from './declaration.ts';
import { type Enclosure, type EnclosureKind, EnclosureWalk } from './enclosures.ts';
import { CandidateFinder, candidateOfKind } from './nearMiss/candidate.ts';
import { readNearMiss } from './nearMiss/nearMiss.ts';
import type { Problem } from './problem.ts';
import { afterLineEnd, type Message, type Work } from './text.ts';

/** What one pass over a text finds. */
export interface Survey {
  readonly declarations: readonly Declaration[];
  /** `malformed-tag` and `live-tag-in-code-fence`, in document order. */
  readonly problems: readonly Problem[];
}

const NOTHING: Survey = { declarations: [], problems: [] };

/** Hears the line number (from 1) of the start of every declaration's and problem's range. */
export type LineListener = (offset: number, line: number) => void;

const LIVE_MESSAGES: Readonly<Record<EnclosureKind, readonly [live: string, opening: string]>> = {
  'code-fence': [
    'This line is a live tag, although it stands in a fenced code block. To only show it, write it as inline code.',
    'The fenced code block starts here.',
  ],
  'front-matter': [
    'This line is a live tag, although it stands in the front matter. Move it below, or take it out.',
    'The front matter starts here.',
  ],
  'html-comment': [
    'This line is a live tag, although it stands in an HTML comment. To switch it off, take the line out.',
    'The comment starts here.',
  ],
  'raw-html': [
    'This line is a live tag, although it stands in raw HTML. To only show it, write it as inline code.',
    'The raw HTML starts here.',
  ],
};

/**
 * Finds the exact tag lines, the near misses, and what encloses them, in one pass. Looks only where `<!` stands and
 * allocates nothing for ordinary comments; lines are walked only once there is a tag line or a near miss to ask about.
 */
export function surveyText(text: string, work?: Work, heard?: LineListener): Survey {
  const first = text.indexOf('<!');
  if (first < 0) {
    if (work) {
      work.visited += text.length;
    }
    return NOTHING;
  }
  const declarations: Declaration[] = [];
  const problems: Problem[] = [];
  const finder = new CandidateFinder(text, work);
  let walk: EnclosureWalk | undefined;
  const enclosureOf = (lineStart: number): Enclosure | undefined => {
    walk ??= new EnclosureWalk(text, work);
    return walk.enclosureOf(lineStart);
  };
  const settle = (offset: number, next: number, enclosure: Enclosure | undefined): void => {
    if (walk) {
      heard?.(offset, walk.line);
      // A comment or raw HTML may end on this very line, so that line must be read.
      if (enclosure?.kind !== 'html-comment' && enclosure?.kind !== 'raw-html') {
        walk.skipLine(next);
      }
    }
  };

  let from = 0;
  let talked = 0;
  for (let at = first; at >= 0; at = text.indexOf('<!', from)) {
    if (work) {
      work.visited += at + 2 - from;
    }
    const kind = declaredKindAt(text, at, work);
    const declaration = kind && finishDeclaration(text, at, kind, work);
    if (declaration) {
      declarations.push(declaration);
      from = declaration.next;
      const enclosure = enclosureOf(at);
      settle(at, from, enclosure);
      if (enclosure) {
        problems.push(liveTag(declaration, enclosure));
      }
      continue;
    }
    const candidate = (kind && candidateOfKind(at, kind)) ?? finder.at(at);
    from = finder.stop;
    if (candidate) {
      const { nearMiss, stop, talkedUntil } = readNearMiss(text, candidate, talked, work);
      from = stop;
      talked = talkedUntil ?? talked;
      if (nearMiss) {
        const enclosure = enclosureOf(nearMiss.line.start);
        settle(nearMiss.problem.range.start, afterLineEnd(text, nearMiss.line.end), enclosure);
        if (!enclosure) {
          problems.push(nearMiss.problem);
        }
      }
    }
  }
  if (work) {
    work.visited += text.length - from;
  }
  return { declarations, problems };
}

function liveTag(declaration: Declaration, enclosure: Enclosure): Problem {
  const [live, opening] = LIVE_MESSAGES[enclosure.kind];
  const message = (template: string): Message => ({ template, values: [] });
  return {
    code: 'live-tag-in-code-fence',
    range: declaration.range,
    message: message(live),
    related: [{ range: enclosure.range, message: message(opening) }],
    ...(declaration.id && { blockId: declaration.id }),
  };
}
