import type { Command } from 'commander';
import { product } from '../protocol/product.ts';
import { complain, EXIT } from './command.ts';
import { runDiscard } from './discard/runDiscard.ts';
import { reasonOf } from './failure.ts';
import { ownTerminal } from './terminalQuestion.ts';

const HELP = `
A running session is named by its id, by the beginning of its id, or by the path of its log: "${product.name} sessions" lists
them. What the discard would change is said first. It is done only when you answer the question with y, on a terminal.

Exit code: 0 when the block is discarded, or was already; 1 when you or the session's policy did not want it; 2 when there is
no terminal, no such session or block, or the connection is lost.`;

/** Adds `discard <session> <block>`. */
export function addDiscardCommand(program: Command): void {
  program
    .command('discard')
    .summary('take a block out of a running session, after a question')
    .description('Discard a block of a running session: it is in no later request of it.')
    .argument('<session>', 'id, its beginning, or the path of a log')
    .argument('<block>', 'id of the block')
    .addHelpText('after', HELP)
    .action(async (session: string, block: string) => {
      const terminal = ownTerminal();
      if (!terminal) {
        complain(
          'discard',
          'A person has to answer its question, and there is no terminal on standard input. Type the command in a terminal, or discard the block in VS Code.',
        );
        process.exitCode = EXIT.unreadable;
        return;
      }
      try {
        process.exitCode = await runDiscard(session, block, terminal);
      } catch (error) {
        complain(session, reasonOf(error));
        process.exitCode = EXIT.unreadable;
      }
    });
}
