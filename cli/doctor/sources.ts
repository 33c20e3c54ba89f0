import { agentFolder } from '../../adapter/agents/pi/piFiles.ts';
import { piSources } from '../../adapter/agents/pi/piSources.ts';
import { sourceText } from '../../adapter/sourceText.ts';
import type { UserConfig } from '../../local/userConfig.ts';
import { allows, DEFAULT_POLICY } from '../../protocol/lifecycle/defaultPolicy.ts';
import { parseDocument } from '../../protocol/lifecycle/document.ts';
import type { Policy } from '../../protocol/lifecycle/policy.ts';
import { reasonOf } from '../failure.ts';
import { shownPath } from '../paths.ts';
import { amount, listed } from '../words.ts';
import { type Finding, note, ok, problem, type Section } from './finding.ts';
import { contextFiles, skills } from './piFiles.ts';

/** Where to look; tests give their own. */
export interface SourcePlaces {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Pick<UserConfig, 'policy' | 'sources'>;
  /** pi is installed, or was used. */
  readonly usesPi: boolean;
}

interface FoundSource {
  readonly path: string;
  readonly text: string;
  /** config.json names it, so that every agent loads it. */
  readonly ofConfig: boolean;
}

/**
 * What would be loaded here, in the order in which adapters load it, and what becomes of each definition: what config.json names,
 * then what pi finds. Absent where neither is: other agents name their sources themselves, or are told them.
 */
export function sourcesSection(places: SourcePlaces): Section | undefined {
  const { usesPi } = places;
  const { sources, problems } = foundSources(places);
  if (!usesPi && sources.length === 0 && problems.length === 0) {
    return undefined;
  }
  const taken = new Map<string, string>();
  const policy = places.config.policy ?? DEFAULT_POLICY;
  const findings = sources.map((source, index) => sourceFinding(source, index + 1, { places, taken, policy }));
  return {
    title: usesPi
      ? 'Sources that pi would load here, in this order'
      : 'Sources that config.json names, which every agent loads first',
    findings: [
      ...(findings.length > 0 ? findings : [note('None: pi finds no AGENTS.md, CLAUDE.md or skill.')]),
      ...problems.map(problem),
    ],
  };
}

function foundSources({ cwd, home, env, config, usesPi }: SourcePlaces): {
  readonly sources: readonly FoundSource[];
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const own = config.sources.flatMap((path): readonly FoundSource[] => {
    try {
      return [{ path, text: sourceText(path), ofConfig: true }];
    } catch (error) {
      problems.push(`${path}, which config.json names: ${reasonOf(error)}`);
      return [];
    }
  });
  if (!usesPi) {
    return { sources: own, problems };
  }
  const ownFolder = agentFolder(env, home);
  const loaded = piSources(
    { contextFiles: contextFiles(ownFolder, cwd), skills: skills(ownFolder, cwd, home) },
    ownFolder,
  );
  const others = loaded.sources
    .filter(({ source }) => own.every(({ path }) => path !== source))
    .map(({ source, text }) => ({ path: source, text, ofConfig: false }));
  return { sources: [...own, ...others], problems: [...problems, ...loaded.problems] };
}

interface LoadingSoFar {
  readonly places: SourcePlaces;
  readonly policy: Policy;
  /** By block ID the source that defined it first. */
  readonly taken: Map<string, string>;
}

function sourceFinding(source: FoundSource, number: number, { places, policy, taken }: LoadingSoFar): Finding {
  const shown = shownSource(source.path, places);
  const { blocks, problems } = parseDocument(source.text);
  const lines: string[] = [];
  const active: string[] = [];
  const verdict = allows(policy, 'context-file', source.path, 'define');
  for (const { id } of blocks) {
    const winner = taken.get(id);
    if (!verdict.allowed) {
      lines.push(`block ${id} does not count: your policy lets this source define nothing (${verdict.rule})`);
    } else if (winner === undefined) {
      taken.set(id, shown);
      active.push(id);
    } else {
      lines.push(`block ${id} does not count: ${winner} defines it first`);
    }
  }
  if (problems.length > 0) {
    lines.push(`${amount(problems.length, 'problem')}: context-lifecycle check ${shown}`);
  }
  const said = active.length === 0 ? 'no block' : `${active.length === 1 ? 'block' : 'blocks'} ${listed(active)}`;
  const line = `${number}. ${shown}${source.ofConfig ? ' (config.json)' : ''}: ${said}`;
  return lines.length > 0 ? note(line, lines) : ok(line);
}

function shownSource(path: string, { cwd, home }: SourcePlaces): string {
  const shown = shownPath(path, cwd);
  return shown === path && home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : shown;
}
