import type { Message } from '../protocol/lifecycle/text.ts';
import { readRules } from './check/projectFile.ts';
import type { Rules } from './check/rules.ts';

/** What the settings of section `contextLifecycle` say, for one folder. */
export interface Settings {
  /** Only what is set, so that it can be laid over the project file. */
  readonly rules: Partial<Rules>;
  /** Whether files that are not open are checked too. */
  readonly workspaceDiagnostics: boolean;
  /** How many context sources of a folder are read at most. */
  readonly maxFiles: number;
  /** One sentence for each setting that was refused. */
  readonly problems: readonly Message[];
}

export const SECTION = 'contextLifecycle';

export const DEFAULT_SETTINGS: Settings = { rules: {}, workspaceDiagnostics: false, maxFiles: 10_000, problems: [] };

/**
 * Reads the section as a client sends it. What is absent, null or illegal is not set; nothing throws (editor-bugs 53).
 * A client must send only what a person has set: a default that it sends looks like a choice and beats the project file.
 */
export function readSettings(section: unknown): Settings {
  const root = record(section);
  const check = record(root['check']);
  const index = record(root['index']);
  const given = { sources: root['sources'], exclude: check['exclude'], severities: check['severities'] };
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const { rules, problems } = readRules(Object.fromEntries(set));
  const maxFiles = index['maxFiles'];
  return {
    rules,
    problems,
    workspaceDiagnostics: check['workspace'] === true,
    maxFiles: typeof maxFiles === 'number' && maxFiles >= 0 ? Math.floor(maxFiles) : DEFAULT_SETTINGS.maxFiles,
  };
}

/** The section in what a client pushes: either inside an object of all sections, or by itself. */
export function sectionOf(settings: unknown): unknown {
  return record(settings)[SECTION] ?? settings;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
