import { anyPathMatcher } from '../server/check/globs.ts';
import { combineRules, type Rules } from '../server/check/rules.ts';
import { sourceMatcher } from '../server/check/sources.ts';
import type { Failure } from './failure.ts';
import { isInside, shownPath } from './paths.ts';

/** The folder whose globs and load order count. All paths that it is asked about are absolute. */
export class ProjectFolder {
  readonly root: string;
  readonly rules: Rules;
  /** What is wrong with the project file. */
  readonly failures: readonly Failure[];
  readonly #outside: Rules;

  constructor(root: string, rules: Rules, failures: readonly Failure[]) {
    this.root = root;
    this.rules = rules;
    this.failures = failures;
    this.#outside = combineRules(rules, { sources: [], exclude: [], severities: { 'unknown-block': 'off' } });
  }

  /** The path that the globs are matched against: relative, with `/`; undefined outside the folder. */
  pathOf(path: string): string | undefined {
    return isInside(path, this.root) ? shownPath(path, this.root) : undefined;
  }

  isExcluded(path: string): boolean {
    const inside = this.pathOf(path);
    return inside !== undefined && anyPathMatcher(this.rules.exclude)(inside);
  }

  /** Whether a file is a context source by its path. */
  isSource(path: string): boolean {
    const inside = this.pathOf(path);
    return (
      inside !== undefined &&
      sourceMatcher(this.rules.sources).order(inside) !== undefined &&
      !anyPathMatcher(this.rules.exclude)(inside)
    );
  }

  /**
   * The rules for a file. As in the editor, the globs say nothing about a file outside the folder, and as nobody knows
   * which sources its agent loads, it has no unknown blocks.
   */
  rulesFor(path: string): Rules {
    return this.pathOf(path) === undefined ? this.#outside : this.rules;
  }
}
