/** One line of what `doctor` found; texts are not escaped yet. */
export interface Finding {
  /** A problem is something that a person should mend. */
  readonly level: 'ok' | 'note' | 'problem';
  readonly text: string;
  /** Lines below it. */
  readonly more?: readonly string[];
}

export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}

export function ok(text: string): Finding {
  return { level: 'ok', text };
}

export function note(text: string, more: readonly string[] = []): Finding {
  return { level: 'note', text, more };
}

export function problem(text: string): Finding {
  return { level: 'problem', text };
}
