/** Where a text comes from, as the adapter knows it: never as the text says (DESIGN, Trust). */
export const SOURCE_CLASSES = [
  'context-file',
  'plugin',
  'host-workflow',
  'editor',
  'user',
  'assistant',
  'tool-result',
  'repository-file',
  'web',
  'summary',
  'handoff',
] as const;

export type SourceClass = (typeof SOURCE_CLASSES)[number];

/** What a source may be allowed to do. */
export const RIGHTS = ['define', 'discard', 'ephemeral'] as const;

export type Right = (typeof RIGHTS)[number];

/** Lets the sources of a class whose name matches `pattern` do what `may` lists, and nothing else. */
export interface PolicyRule {
  readonly class: SourceClass;
  /** A source's whole name, in which `*` stands for any characters. */
  readonly pattern: string;
  readonly may: readonly Right[];
}

/** Ordered: the first rule that fits a source decides for it; where none fits, nothing is allowed. */
export interface Policy {
  readonly rules: readonly PolicyRule[];
}
