import { braceExpand, GLOBSTAR, Minimatch } from 'minimatch';
import type { Message } from '../../protocol/lifecycle/text.ts';

/**
 * Globs come with a repository, so they are not trusted. minimatch matches segment by segment, so wildcards of different
 * segments never multiply; these bounds keep the worst segment, and a list in braces, to some milliseconds a path.
 */
const MAX_LENGTH = 256;
const MAX_WILDCARDS_A_SEGMENT = 3;
const MAX_GLOBSTARS = 3;
const MAX_ALTERNATIVES = 64;

/** Why a glob cannot be used, as one sentence; undefined when it can. */
export function globProblem(glob: string): Message | undefined {
  const segments = glob.split('/');
  const refuse = (template: string, ...values: string[]): Message => ({
    template,
    values: [glob.slice(0, MAX_LENGTH), ...values],
  });
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
  if (glob.endsWith('/')) {
    return refuse("The glob '{0}' names a folder: end it with '**' to name the files in it.");
  }
  if (glob.startsWith('/') || segments.includes('..') || segments.includes('.')) {
    return refuse("The glob '{0}' must be relative to the folder, without '.' or '..'.");
  }
  // One more than is allowed, so that too many can be told from just enough.
  const tooMany =
    braceExpand(glob, { braceExpandMax: MAX_ALTERNATIVES + 1 }).length > MAX_ALTERNATIVES ||
    compile(glob).globParts.some(
      parts =>
        parts.filter(part => part === '**').length > MAX_GLOBSTARS ||
        parts.some(part => (part.match(/\*+/g)?.length ?? 0) > MAX_WILDCARDS_A_SEGMENT),
    );
  return tooMany ? refuse("The glob '{0}' has too many wildcards: use several simpler globs.") : undefined;
}

function compile(glob: string): Minimatch {
  return new Minimatch(glob, {
    dot: true,
    nocomment: true,
    nonegate: true,
    noext: true,
    platform: 'linux',
    braceExpandMax: MAX_ALTERNATIVES,
  });
}

/** Whether a path (relative, with `/`) matches; case counts, and names that start with a dot are names like others. */
export type PathMatcher = (path: string) => boolean;

/** Matches paths against one glob. A glob that `globProblem` refuses matches nothing. */
export function pathMatcher(glob: string): PathMatcher {
  if (globProblem(glob)) {
    return () => false;
  }
  const name = /^\*\*\/([^/*]*\*?[^/*]*)$/.exec(glob)?.[1];
  return name === undefined ? wholePathMatcher(glob) : nameMatcher(name);
}

function wholePathMatcher(glob: string): PathMatcher {
  const compiled = compile(glob);
  // Nearly every path of a large tree ends otherwise than a glob does, or has no such folder, and that is quick to see.
  const folder = glob.split('/').find(segment => !/[*?[\]{},]/.test(segment)) ?? '';
  const endings = compiled.globParts.map(parts => /[^*?[\]]*$/.exec(parts.at(-1) ?? '')?.[0] ?? '');
  return path => path.includes(folder) && endings.some(ending => path.endsWith(ending)) && compiled.match(path);
}

/**
 * A glob that asks for a name in any folder, as most do, need not look at the folders: a scan asks for each file of a
 * workspace.
 */
function nameMatcher(glob: string): PathMatcher {
  const parts = compile(glob).set.flat();
  return path => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return parts.some(part => (typeof part === 'string' ? part === name : part !== GLOBSTAR && part.test(name)));
  };
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
