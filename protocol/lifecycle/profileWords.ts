import type { AgentProfile, Level, LinePrefix } from './agentProfiles.ts';
import type { Message } from './text.ts';

const LEVELS = {
  enforced: 'enforced',
  observed: 'observed only',
  impossible: 'impossible',
} as const satisfies Record<Level, string>;

/** What an agent that enforces ephemeral contents cannot: where it puts something before a tag, the line is not exact. */
const EXCEPTIONS = {
  file: 'enforced, except a tag in a file that a tool reads',
  shell: "enforced, except a tag on the first line of a command's output",
} as const satisfies Record<LinePrefix['where'], string>;

const BY = {
  adapter: 'by an adapter inside the agent',
  gateway: 'by the gateway in front of the model',
  example: 'by an example, which is experimental',
} as const satisfies Record<AgentProfile['by'], string>;

const RECEIPTS = {
  sha256: 'the SHA-256 of the body that left',
  units: 'unit by unit, in the request that left',
  'units-where-reported': 'unit by unit, where the provider says what it sent',
  'not-reported': 'not reported',
} as const satisfies Record<AgentProfile['receipt'], string>;

const FAILURES = {
  closed: 'no request leaves',
  'closed-or-open': 'no request leaves, unless your settings let it go on as it came',
} as const satisfies Record<AgentProfile['failure'], string>;

const PREFIXES = {
  file: 'each line of a file that a tool reads begins with {0}, so a tag there is none',
  shell: 'the first line that a command prints stands behind {0}, so a tag there is none',
} as const satisfies Record<LinePrefix['where'], string>;

const word = (template: string): Message => ({ template, values: [] });

/** A level in a word or two. */
export function levelWords(level: Level): Message {
  return word(LEVELS[level]);
}

/** The level of ephemeral contents, with what is excepted from it. */
export function ephemeralWords({ ephemerals, prefixes: [prefix] }: AgentProfile): Message {
  return prefix && ephemerals.level === 'enforced' ? word(EXCEPTIONS[prefix.where]) : levelWords(ephemerals.level);
}

/** What stands beside the agent. */
export function byWords({ by }: AgentProfile): Message {
  return word(BY[by]);
}

/** What is seen of the request that left. */
export function receiptWords({ receipt }: AgentProfile): Message {
  return word(RECEIPTS[receipt]);
}

/** What happens where a request cannot be built. */
export function failureWords({ failure }: AgentProfile): Message {
  return word(FAILURES[failure]);
}

/** Which comments the agent takes out of which files; absent where it takes none. */
export function commentWords({ comments }: AgentProfile): Message | undefined {
  return comments
    ? {
        template: 'since {0} it removes {1} from {2}, so tags in them reach neither the model nor a hook',
        values: [comments.since, comments.stripped, comments.files.join(', ')],
      }
    : undefined;
}

/** What keeps a tag from being an exact line in what tools give. */
export function prefixWords({ prefixes }: AgentProfile): readonly Message[] {
  return prefixes.map(({ where, text }) => ({
    template: PREFIXES[where],
    values: [JSON.stringify(text)],
  }));
}
