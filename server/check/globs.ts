import picomatch from 'picomatch/posix.js';
import type { Message } from '../../protocol/lifecycle/text.ts';

/**
 * Globs come with a repository, so they are not trusted: a glob becomes a regular expression, and enough wildcards or
 * alternatives in one make it backtrack for hours. These bounds keep the worst case to some milliseconds a path.
 */
const MAX_LENGTH = 256;
const MAX_WILDCARDS_A_SEGMENT = 3;
const MAX_GLOBSTARS = 3;
const MAX_ALTERNATIONS = 3;

/** Why a glob cannot be used, as one sentence; undefined when it can. */
export function globProblem(glob: string): Message | undefined {
  const segments = glob.split('/');
  const refuse = (template: string, ...values: string[]): Message => ({ template, values: [glob, ...values] });
  if (glob === '') {
    return refuse('A glob may not be empty.');
  }
  if (glob.length > MAX_LENGTH) {
    return refuse("The glob '{0}' is longer than {1} characters.", String(MAX_LENGTH));
  }
  if (glob.startsWith('!')) {
    return refuse("The glob '{0}' starts with '!': name files to leave out under 'exclude'.");
  }
  if (/[()\\]/.test(glob)) {
    return refuse(
      "The glob '{0}' holds a round bracket or a backslash: write '?' for such a character, and '/' between folders.",
    );
  }
  if (glob.startsWith('/') || segments.includes('..') || segments.includes('.')) {
    return refuse("The glob '{0}' must be relative to the folder, without '.' or '..'.");
  }
  const tooMany =
    segments.some(segment => countOf(segment, /\*+|\+/g) > MAX_WILDCARDS_A_SEGMENT) ||
    countOf(glob, /\*\*/g) > MAX_GLOBSTARS ||
    countOf(glob, /\{/g) > MAX_ALTERNATIONS;
  return tooMany ? refuse("The glob '{0}' has too many wildcards: use several simpler globs.") : undefined;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Whether a path (relative, with `/`) matches; case counts, and names that start with a dot are names like others. */
export type PathMatcher = (path: string) => boolean;

/** Matches paths against one glob. A glob that `globProblem` refuses matches nothing. */
export function pathMatcher(glob: string): PathMatcher {
  return globProblem(glob) ? () => false : picomatch(glob, { dot: true, noextglob: true });
}

const matchers = new WeakMap<readonly string[], PathMatcher>();

/** Matches paths against any of the globs; made once for each array of globs. */
export function anyPathMatcher(globs: readonly string[]): PathMatcher {
  let matcher = matchers.get(globs);
  if (!matcher) {
    const each = globs.map(pathMatcher);
    matcher = path => each.some(matches => matches(path));
    matchers.set(globs, matcher);
  }
  return matcher;
}
