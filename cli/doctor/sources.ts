import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { piSources } from '../../adapter/agents/pi/piSources.ts';
import type { UserConfig } from '../../local/userConfig.ts';
import { allows, DEFAULT_POLICY } from '../../protocol/lifecycle/defaultPolicy.ts';
import { parseDocument } from '../../protocol/lifecycle/document.ts';
import { shownPath } from '../paths.ts';
import { amount, listed } from '../words.ts';
import { type Finding, note, ok, problem, type Section } from './finding.ts';

/** Where pi looks; tests give their own. */
export interface SourcePlaces {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: Pick<UserConfig, 'policy' | 'sources'>;
}

/** pi takes the first of a folder. */
const CONTEXT_FILES = ['AGENTS.override.md', 'AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'] as const;

/**
 * What pi would load here, in the order in which its adapter loads it, and what becomes of each definition. Other adapters are
 * told their sources by the program that uses them.
 */
export function sourcesSection(places: SourcePlaces): Section {
  const agentFolder = places.env['PI_CODING_AGENT_DIR'] || join(places.home, '.pi', 'agent');
  const { sources, problems } = piSources(
    { contextFiles: contextFiles(agentFolder, places.cwd), skills: skills(agentFolder, places.cwd) },
    agentFolder,
  );
  const taken = new Map<string, string>();
  const policy = places.config.policy ?? DEFAULT_POLICY;
  const findings = sources.map(({ source, text }, index): Finding => {
    const shown = shownSource(source, places);
    const { blocks, problems: wrong } = parseDocument(text);
    const lines: string[] = [];
    const active: string[] = [];
    const verdict = allows(policy, 'context-file', source, 'define');
    for (const { id } of blocks) {
      if (!verdict.allowed) {
        lines.push(`block ${id} does not count: your policy lets this source define nothing (${verdict.rule})`);
        continue;
      }
      const winner = taken.get(id);
      if (winner === undefined) {
        taken.set(id, shown);
        active.push(id);
      } else {
        lines.push(`block ${id} does not count: ${winner} defines it first`);
      }
    }
    if (wrong.length > 0) {
      lines.push(`${amount(wrong.length, 'problem')}: context-lifecycle check ${shown}`);
    }
    const said = active.length === 0 ? 'no block' : `${active.length === 1 ? 'block' : 'blocks'} ${listed(active)}`;
    const line = `${index + 1}. ${shown}: ${said}`;
    return lines.length > 0 ? note(line, lines) : ok(line);
  });
  return {
    title: 'Sources that pi would load here, in this order',
    findings: [
      ...(findings.length > 0 ? findings : [note('None: pi finds no AGENTS.md, CLAUDE.md or skill.')]),
      ...problems.map(problem),
    ],
  };
}

interface ContextFile {
  readonly path: string;
  content: string;
}

/** The person's, then from the root of the file system down to the working folder. */
function contextFiles(agentFolder: string, cwd: string): readonly ContextFile[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) {
      break;
    }
  }
  const files = [agentFolder, ...folders].flatMap(folder => contextFileIn(folder) ?? []);
  return files.filter(({ path }, index) => files.findIndex(other => other.path === path) === index);
}

function contextFileIn(folder: string): ContextFile | undefined {
  for (const path of CONTEXT_FILES.map(name => join(folder, name)).filter(existsSync)) {
    try {
      return { path, content: readFileSync(path, 'utf8') };
    } catch {
      // A folder, or a file that pi cannot read either.
    }
  }
  return undefined;
}

/** Folders with a SKILL.md, the person's and the project's. */
function skills(agentFolder: string, cwd: string) {
  const places = [
    { folder: join(agentFolder, 'skills'), scope: 'user' },
    { folder: join(cwd, '.pi', 'skills'), scope: 'project' },
  ];
  return places.flatMap(({ folder, scope }) =>
    skillFiles(folder, 0).map(filePath => ({
      name: basename(dirname(filePath)),
      filePath,
      sourceInfo: { scope },
    })),
  );
}

/** Folders that lie deeper hold no skill of anybody. */
const DEEPEST = 4;

function skillFiles(folder: string, depth: number): readonly string[] {
  const entries = entriesOf(folder);
  if (entries.some(entry => entry.isFile() && entry.name === 'SKILL.md')) {
    return [join(folder, 'SKILL.md')];
  }
  return depth === DEEPEST
    ? []
    : entries
        .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        .flatMap(entry => skillFiles(join(folder, entry.name), depth + 1));
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function shownSource(path: string, { cwd, home }: SourcePlaces): string {
  const shown = shownPath(path, cwd);
  return shown === path && home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : shown;
}
