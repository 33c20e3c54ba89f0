import { describeStretch, quote } from '../characterNames.ts';
import { lookalikeOf } from '../confusables.ts';
import { trimBack, trimFront } from './closing.ts';
import type { CommentParts, Reading } from './reading.ts';

const MESSAGES = {
  noClosing: "'ephemeral' marks a whole message, so it has no closing line.",
  colon: "The line is '<!--ephemeral-->', without {0}.",
  noId: "'ephemeral' takes no ID, but {0} stands behind it.",
  blank: 'A tag holds no blanks or unseen characters, but {0} stands behind its word.',
  dashes: "A tag line must end with '-->', but this one ends with {0}.",
  slash: "The line is '<!--ephemeral-->', without the '/'.",
} as const;

/**
 * A comment that says `ephemeral` and nothing else is meant as the tag. A comment that goes on ("ephemeral ports are
 * …", "ephemeral: not kept") is prose; only an ID joined on without a blank (`<!--ephemeral:a-->`) is not. One that the
 * line leaves open is meant when the word follows `<!--` at once: prose over several lines starts with a blank.
 */
export function readEphemeral(parts: CommentParts): Pick<Reading, 'kind' | 'id'> | undefined {
  const { text, candidate, ending, closing, spaced, flaw } = parts;
  const from = candidate.wordEnd;
  const to = Math.max(from, ending.range.start);
  const start = trimFront(text, from, to);
  const end = trimBack(text, start, to);
  const rest = text.slice(start, end);
  if (ending.form === 'missing' && (spaced || rest !== '')) {
    return undefined;
  }
  if (closing) {
    flaw('wrong-closing-form', candidate.wordStart, from, MESSAGES.noClosing, [], 'none');
  }
  if (rest === '') {
    if (start > from) {
      flaw('blank-inside', from, start, MESSAGES.blank, [describeStretch(text, from, start)], 'plain');
    }
  } else if (/^-+$/.test(rest) && start === from) {
    const dashes = [quote(text.slice(start, ending.range.end))];
    flaw('misclosed-comment', start, ending.range.end, MESSAGES.dashes, dashes, 'plain');
  } else if (rest === ':' || lookalikeOf(rest.codePointAt(0) ?? 0) === ':') {
    if (rest.length > 1) {
      return undefined;
    }
    flaw('misspelt-keyword', start, end, MESSAGES.colon, [quote(rest)], 'guess');
  } else if (rest === '/') {
    flaw('wrong-closing-form', start, end, MESSAGES.slash, [], 'guess');
  } else if (start === from && !spaced && /^:[^\s:]+$/.test(rest)) {
    flaw('illegal-id', start, end, MESSAGES.noId, [quote(rest)], 'guess');
  } else {
    return undefined;
  }
  return { kind: 'ephemeral', id: '' };
}
