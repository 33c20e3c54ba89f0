import { STRUCTURAL_CODES } from '../../protocol/lifecycle/problem.ts';
import { BYTE_NOTE_CODES } from '../../protocol/lifecycle/sourceBytes.ts';
import type { FindingCode, Severity } from './finding.ts';
import { DEFAULT_SOURCES } from './sources.ts';

/** What people may decide about checking. */
export interface Rules {
  /** Only codes whose severity differs from the default. */
  readonly severities: Readonly<Partial<Record<FindingCode, Severity>>>;
  /** Ordered globs of the context sources, relative to the folder. */
  readonly sources: readonly string[];
  /** Globs of files that are neither checked nor context sources, such as files that teach the protocol. */
  readonly exclude: readonly string[];
}

export const DEFAULT_RULES: Rules = { severities: {}, sources: DEFAULT_SOURCES, exclude: [] };

const structural: ReadonlySet<FindingCode> = STRUCTURAL_CODES;
const byteNotes: ReadonlySet<FindingCode> = new Set(BYTE_NOTE_CODES);

/** DESIGN flow 1, Severities: the five structural codes are errors, the byte reports notes, all others warnings. */
export function defaultSeverity(code: FindingCode): Exclude<Severity, 'off'> {
  if (structural.has(code)) {
    return 'error';
  }
  return byteNotes.has(code) ? 'note' : 'warning';
}

/** How loud a code is under these rules. */
export function severityOf(code: FindingCode, rules: Rules): Severity {
  return rules.severities[code] ?? defaultSeverity(code);
}

/**
 * The rules of several places, weakest first: the defaults, then the project file, then what the user has set
 * explicitly in the editor. The project file is the base that editor and CI share; an explicit editor setting wins over
 * it on this machine only. Globs replace one another as a list, because their order counts; severities join code by code.
 */
export function combineRules(...parts: readonly Partial<Rules>[]): Rules {
  return parts.reduce<Rules>(
    (rules, part) => ({
      severities: { ...rules.severities, ...part.severities },
      sources: part.sources ?? rules.sources,
      exclude: part.exclude ?? rules.exclude,
    }),
    DEFAULT_RULES,
  );
}
