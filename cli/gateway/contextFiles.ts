import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sourceText } from '../../adapter/sourceText.ts';
import { AGENT_IDS, type AgentId } from '../../local/gatewayAgents.ts';
import { agentProfile } from '../../protocol/lifecycle/agentProfiles.ts';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';
import type { Failure } from '../failure.ts';
import { EMPTY_NAME, reasonOf } from '../failure.ts';
import { shownPath } from '../paths.ts';
import { amount, listed } from '../words.ts';

/** More IDs of one file make no line. */
const MOST_IDS = 8;

/** Whole paths of the named context files, in order and each once, and what could not be read. */
export function namedSources(
  named: readonly string[],
  cwd: string,
): { readonly paths: readonly string[]; readonly failures: readonly Failure[] } {
  const paths = new Set<string>();
  const failures: Failure[] = [];
  for (const name of named) {
    const path = resolve(cwd, name);
    try {
      if (name === '') {
        failures.push(EMPTY_NAME);
      } else {
        sourceText(path);
        paths.add(path);
      }
    } catch (error) {
      failures.push({ path: name, reason: reasonOf(error) });
    }
  }
  return { paths: [...paths], failures };
}

/**
 * A sentence for each context file of the folder that this agent reads, or some agent where it is not known, that declares blocks and
 * is not named. Nothing is loaded unless somebody named it: that a file lies in a folder says nothing of whether a person trusts it.
 */
export function unnamedFiles(cwd: string, named: readonly string[], agent: AgentId): readonly string[] {
  const known = new Set(named.map(realPath));
  const profiles = AGENT_IDS.flatMap(id => (agent === 'other' || agent === id ? (agentProfile(id) ?? []) : []));
  return profiles.flatMap(profile =>
    profile.files.flatMap(name => {
      const path = realPath(join(cwd, name));
      const { length: count } = known.has(path) ? [] : blocksIn(path);
      known.add(path);
      const unless = profile.agent === 'claude-code' ? " unless Claude Code's own hook names it" : '';
      const file = agent === 'other' ? `${name}, which ${profile.name} reads,` : name;
      return count === 0
        ? []
        : `${file} declares ${amount(count, 'block')}, but it was not named, so it does not count${unless}. To load it: --source ${name}`;
    }),
  );
}

/** What counts in a session with these context files, in one line; `hasHook`: Claude Code names its own besides. */
export function whatCounts(cwd: string, named: readonly string[], hasHook: boolean): string {
  const files = named.map(path => {
    const ids = blocksIn(path);
    const shown = ids.length > MOST_IDS ? [...ids.slice(0, MOST_IDS), `${ids.length - MOST_IDS} more`] : ids;
    const what = ids.length === 0 ? 'no block' : `${amount(ids.length, 'block')} (${listed(shown)})`;
    return `${shownPath(path, cwd)} declares ${what}`;
  });
  const hooked = hasHook ? ['Claude Code names its instruction files itself, and their blocks count'] : [];
  const sentences = files.length > 0 ? [listed(files), ...hooked] : hooked;
  return [
    ...(sentences.length > 0 ? sentences : ['No context file was named, so no block counts']),
    'context-lifecycle sessions shows this session',
  ]
    .map(sentence => `${sentence}.`)
    .join(' ');
}

/** IDs of its valid blocks; none where it cannot be read. */
function blocksIn(path: string): readonly string[] {
  try {
    return outlineDocument(sourceText(path)).blocks.flatMap(({ id, valid }) => (valid ? [id] : []));
  } catch {
    return [];
  }
}

/** The path itself where it leads nowhere. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
