import type { Policy, PolicyRule, Right, SourceClass } from './policy.ts';
import { matchesPattern, namesOneSource } from './sourcePattern.ts';

/** DESIGN, Trust: what is allowed where an adapter or a person says nothing else. */
export const DEFAULT_POLICY: Policy = Object.freeze({
  rules: Object.freeze(
    (
      [
        { class: 'context-file', pattern: '*', may: ['define'] },
        { class: 'plugin', pattern: '*', may: ['discard'] },
        { class: 'host-workflow', pattern: '*', may: ['discard'] },
        { class: 'editor', pattern: '*', may: ['discard'] },
        { class: 'user', pattern: '*', may: ['ephemeral'] },
        { class: 'tool-result', pattern: '*', may: ['ephemeral'] },
      ] satisfies PolicyRule[]
    ).map(rule => Object.freeze({ ...rule, may: Object.freeze(rule.may) })),
  ),
});

/** Whatever a policy says: the words in them may be anybody's. */
const NEVER_TRUSTED: ReadonlySet<SourceClass> = new Set<SourceClass>(['summary', 'handoff']);

/** V1, Trust: untrusted unless an adapter deliberately promotes that exact source. Ephemeral needs no trust. */
const ONLY_BY_NAME: Readonly<Record<Right, ReadonlySet<SourceClass>>> = {
  define: new Set<SourceClass>(['assistant', 'tool-result', 'repository-file', 'web']),
  discard: new Set<SourceClass>(['context-file', 'assistant', 'tool-result', 'repository-file', 'web']),
  ephemeral: new Set<SourceClass>(),
};

/** What a policy says of one source, and the rule that decided, in words for the audit. */
export interface Verdict {
  readonly allowed: boolean;
  readonly rule: string;
}

/** Behind "may". */
const WORDS: Readonly<Record<Right, string>> = { define: 'define', discard: 'discard', ephemeral: 'be ephemeral' };

/**
 * Whether a source may do something: the first rule whose class and pattern fit it decides. `loaded` is for the text of a
 * loaded source, which may discard only where a rule names that very source, whatever its class.
 */
export function allows(
  policy: Policy,
  sourceClass: SourceClass,
  source: string,
  right: Right,
  loaded = false,
): Verdict {
  if (NEVER_TRUSTED.has(sourceClass)) {
    return { allowed: false, rule: `none: the class ${sourceClass} is never trusted` };
  }
  const place = policy.rules.findIndex(rule => rule.class === sourceClass && matchesPattern(rule.pattern, source));
  const rule = policy.rules[place];
  if (!rule) {
    return { allowed: false, rule: 'no rule' };
  }
  const words = `rule ${place + 1}: ${rule.class} ${JSON.stringify(rule.pattern)} may ${rule.may.map(right => WORDS[right]).join(' and ') || 'do nothing'}`;
  if (!rule.may.includes(right)) {
    return { allowed: false, rule: words };
  }
  const byName = ONLY_BY_NAME[right].has(sourceClass) || (loaded && right === 'discard');
  return byName && !namesOneSource(rule.pattern)
    ? { allowed: false, rule: `${words}, but not without naming the source` }
    : { allowed: true, rule: words };
}
