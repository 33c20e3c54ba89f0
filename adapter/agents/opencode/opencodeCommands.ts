import { isBlockId, tagLine } from '../../../protocol/lifecycle/declaration.ts';
import type { Session } from '../../sessionTypes.ts';
import { discardSentence, statusText, usageText } from '../sessionSummary.ts';
import type { OpencodeConfig } from './opencodeApi.ts';

/** What a person types: it is the host's own workflow, which the policy may let discard. Each gives what to tell. */
const commands = {
  'context-discard': {
    description: 'Drops a block from every later request: /context-discard ID',
    run: discard,
  },
  'context-usage': {
    description: 'Shows what the context of this session takes, tier by tier',
    run: usageText,
  },
  'context-status': {
    description: 'Shows blocks, ephemeral contents and the log of this session',
    run: statusText,
  },
} as const;

export type CommandName = keyof typeof commands;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** Makes opencode offer the commands. */
export function addCommands(config: OpencodeConfig): void {
  config.command ??= {};
  for (const [name, { description }] of Object.entries(commands)) {
    config.command[name] = { template: '$ARGUMENTS', description };
  }
}

/** Gives the sentences to show. */
export function runCommand(name: CommandName, session: Session, text: string): string {
  // opencode passes an argument of its command line on in quotes
  return commands[name].run(session, text.trim().replace(/^(["'])(.*)\1$/, '$2'));
}

function discard(session: Session, id: string): string {
  if (!isBlockId(id)) {
    return 'Say which block: /context-discard ID. An ID is made of a to z, 0 to 9, _ and -.';
  }
  const text = tagLine('discard', id);
  return discardSentence(id, session.control({ source: 'opencode:/context-discard', class: 'host-workflow', text }));
}
