import { pathMatcher } from './globs.ts';

/**
 * Which files agents load as instructions, in load order: where two define the same block ID, the file that an earlier
 * glob names wins, and among the files of one glob the earlier path (`loadOrderKey`).
 */
export const DEFAULT_SOURCES: readonly string[] = [
  '**/AGENTS.md',
  '**/CLAUDE.md',
  '**/GEMINI.md',
  '**/copilot-instructions.md',
  '**/*.instructions.md',
  '**/*.prompt.md',
  '**/*.agent.md',
  '**/SKILL.md',
  '**/.cursor/rules/**/*.{md,mdc}',
  '**/*.context.md',
  '**/.agent-context-kit.md',
];

export interface SourceMatcher {
  /** The index of the first glob that matches the path (relative to its folder, with `/`); undefined when none does. */
  order(path: string): number | undefined;
}

const matchers = new WeakMap<readonly string[], SourceMatcher>();

/** Matches paths against ordered globs; made once for each array of globs. */
export function sourceMatcher(globs: readonly string[]): SourceMatcher {
  let matcher = matchers.get(globs);
  if (!matcher) {
    matcher = new RememberingMatcher(globs);
    matchers.set(globs, matcher);
  }
  return matcher;
}

/** Remembers its answers: an index asks for the same 10,000 paths after every change. */
class RememberingMatcher implements SourceMatcher {
  static readonly #limit = 50_000;
  readonly #matches: readonly ((path: string) => boolean)[];
  readonly #known = new Map<string, number>();

  constructor(globs: readonly string[]) {
    this.#matches = globs.map(pathMatcher);
  }

  order(path: string): number | undefined {
    let order = this.#known.get(path);
    if (order === undefined) {
      order = this.#matches.findIndex(matches => matches(path));
      if (this.#known.size >= RememberingMatcher.#limit) {
        this.#known.clear();
      }
      this.#known.set(path, order);
    }
    return order < 0 ? undefined : order;
  }
}

/**
 * A string whose plain order is the path order among the files of one glob: the files of a folder before those of its
 * sub-folders, each by name in UTF-16 order, the same on every machine and in every locale.
 */
export function loadOrderKey(path: string): string {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  return `${folders.map(folder => `\u0001${folder}`).join('')}\u0000${name}`;
}
