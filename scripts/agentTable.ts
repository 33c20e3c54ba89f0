import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Ability, AGENT_PROFILES } from '../protocol/lifecycle/agentProfiles.ts';
import {
  byWords,
  commentWords,
  ephemeralWords,
  failureWords,
  levelWords,
  prefixWords,
  receiptWords,
} from '../protocol/lifecycle/profileWords.ts';
import { type Message, renderMessage } from '../protocol/lifecycle/text.ts';
import { writeOutput } from './build/outputs.ts';
import { inRepository } from './build/paths.ts';

/** The page on agents, whose table of what holds where follows `AGENT_PROFILES`. */
export const agentsPage = 'docs/agents.md';

const MARKED = /(<!-- generated: profiles -->\n)[^]*?(<!-- end of generated -->)/;

/** The page with its table written anew. */
export function withProfiles(page: string): string {
  return page.replace(MARKED, (_, start: string, end: string) => `${start}\n${profileTable()}\n\n${end}`);
}

function profileTable(): string {
  const notes: string[] = [];
  const noted = ({ level, note }: Ability, message = levelWords(level)): string => {
    const words = renderMessage(message);
    if (!note) {
      return words;
    }
    const text = renderMessage(note);
    const known = notes.indexOf(text);
    const number = known >= 0 ? known + 1 : notes.push(text);
    return `${words} (${number})`;
  };
  const rows = AGENT_PROFILES.map(profile => [
    `${profile.name} ${profile.versions.join(', ')}`,
    renderMessage(byWords(profile)),
    noted(profile.blocks),
    noted(profile.ephemerals, ephemeralWords(profile)),
    noted(profile.discards),
    renderMessage(receiptWords(profile)),
    renderMessage(failureWords(profile)),
    sentences([...[commentWords(profile) ?? []].flat(), ...prefixWords(profile), ...profile.limits]),
  ]);
  const head = [
    'Agent',
    'Done',
    'Blocks',
    'Ephemeral contents',
    'Discards',
    'What left',
    'When something is wrong',
    'To know',
  ];
  const lines = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.map(escaped).join(' | ')} |`);
  return [...lines, '', ...notes.map((note, index) => `(${index + 1}) ${note}`)].join('\n');
}

/** Whole sentences, one behind the other. */
function sentences(messages: readonly Message[]): string {
  return messages
    .map(renderMessage)
    .map(text => `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`)
    .join(' ');
}

/** As a cell of a table, in which stars mean nothing. */
function escaped(text: string): string {
  return text.replaceAll(/[|*\\]/g, character => `\\${character}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeOutput(agentsPage, withProfiles(readFileSync(inRepository(agentsPage), 'utf8')));
}
