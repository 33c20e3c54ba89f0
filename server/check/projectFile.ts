import { type Message, renderMessage } from '../../protocol/lifecycle/text.ts';
import { FINDING_CODES, type FindingCode, SEVERITIES, type Severity } from './finding.ts';
import { globProblem } from './globs.ts';
import type { Rules } from './rules.ts';

/** The file at the root of a project in which editor and CI find the same rules. */
export const PROJECT_FILE = '.context-lifecycle.json';

/** What a project file says; `combineRules` gives the order in which it counts. */
export interface ProjectFile {
  /** Only what the file sets and what is legal. */
  readonly rules: Partial<Rules>;
  /** One sentence for each part that was refused, up to a bound; the other parts count all the same. */
  readonly problems: readonly Message[];
}

/** More globs than this would make checking slow, and no project has them. */
const MAX_GLOBS = 200;

/** The file is not trusted: it may hold a hundred thousand mistakes, and keys as long as books. */
const MAX_PROBLEMS = 20;
const MAX_VALUE_LENGTH = 500;

/**
 * Reads the text of a project file. It comes with a repository, so it may hold only `sources`, `exclude` and
 * `severities`: every other key (a URL, a command, a policy, a log, a budget …) is refused by name. Never throws.
 */
export function parseProjectFile(text: string): ProjectFile {
  const problems: Message[] = [];
  const content = parseJson(text, problems);
  for (const key of Object.keys(content).filter(name => !isRuleKey(name))) {
    const template =
      "'{0}' may not be set here: the file comes with the repository, so it may hold only 'sources', 'exclude' and 'severities'.";
    problems.push({ template, values: [key] });
  }
  const read = readRules(content);
  return { rules: read.rules, problems: bounded([...problems, ...read.problems]) };
}

function bounded(problems: readonly Message[]): readonly Message[] {
  const shown = problems.slice(0, MAX_PROBLEMS).map(problem => ({
    ...problem,
    values: problem.values.map(value =>
      value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value,
    ),
  }));
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, { template: 'The file has {0} more mistakes.', values: [String(more)] }] : shown;
}

const RULE_KEYS = ['sources', 'exclude', 'severities'] as const satisfies readonly (keyof Rules)[];

function isRuleKey(key: string): boolean {
  return RULE_KEYS.some(known => known === key);
}

/** The rules among the members of an object, which may hold anything; other members are not looked at. Never throws. */
export function readRules(content: object): ProjectFile {
  const problems: Message[] = [];
  const rules: { -readonly [key in keyof Rules]?: Rules[key] } = {};
  for (const [key, value] of Object.entries(content)) {
    if (key === 'sources' || key === 'exclude') {
      const globs = readGlobs(key, value, problems);
      if (globs) {
        rules[key] = globs;
      }
    } else if (key === 'severities') {
      rules.severities = readSeverities(value, problems);
    }
  }
  return { rules, problems };
}

function parseJson(text: string, problems: Message[]): object {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push({ template: 'The file is not valid JSON: {0}', values: [reason] });
    return {};
  }
  if (!isRecord(content)) {
    problems.push({ template: 'The file must hold one JSON object.', values: [] });
    return {};
  }
  return content;
}

function readGlobs(key: string, value: unknown, problems: Message[]): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    problems.push({ template: "'{0}' must be a list of globs.", values: [key] });
    return undefined;
  }
  if (value.length > MAX_GLOBS) {
    problems.push({ template: "'{0}' may hold {1} globs at most.", values: [key, String(MAX_GLOBS)] });
    return undefined;
  }
  return value.filter((glob: unknown, index): glob is string => {
    const place = `${key}[${index}]`;
    if (typeof glob !== 'string') {
      problems.push({ template: "'{0}' must be a string.", values: [place] });
      return false;
    }
    const problem = globProblem(glob);
    if (problem) {
      problems.push({ template: '{0}: {1}', values: [place, renderMessage(problem)] });
    }
    return problem === undefined;
  });
}

function readSeverities(value: unknown, problems: Message[]): Rules['severities'] {
  const severities: Partial<Record<FindingCode, Severity>> = {};
  if (!isRecord(value)) {
    problems.push({ template: "'{0}' must be an object of codes and severities.", values: ['severities'] });
    return severities;
  }
  for (const [name, level] of Object.entries(value)) {
    const code = FINDING_CODES.find(known => known === name);
    const severity = SEVERITIES.find(known => known === level);
    const place = `severities.${name}`;
    if (!code) {
      problems.push({ template: "'{0}' names no code. The codes are {1}.", values: [place, FINDING_CODES.join(', ')] });
    } else if (!severity) {
      problems.push({ template: "'{0}' must be one of {1}.", values: [place, SEVERITIES.join(', ')] });
    } else {
      severities[code] = severity;
    }
  }
  return severities;
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
