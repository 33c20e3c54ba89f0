import { isBlockId, tagLine } from '../../../protocol/lifecycle/declaration.ts';
import type { Session } from '../../sessionTypes.ts';
import { activeBlocks, discardSentence, statusText } from '../sessionSummary.ts';
import { sentenceOf } from '../tell.ts';
import type { PiApi } from './piApi.ts';
import { teller } from './piTeller.ts';

const NO_SESSION = 'No session is open.';

/** What a person types: it is the host's own workflow, which the policy may let discard. */
export function registerCommands(pi: PiApi, current: () => Session | undefined): void {
  pi.registerCommand('context-discard', {
    description: 'Drops a block from every later request',
    getArgumentCompletions: prefix => {
      const session = current();
      const fitting = session ? activeBlocks(session.state).filter(id => id.startsWith(prefix)) : [];
      return fitting.length === 0 ? null : fitting.map(id => ({ value: id, label: id }));
    },
    handler: async (text, context) => {
      const tell = teller(context);
      try {
        const session = current();
        tell(session ? discard(session, text.trim()) : NO_SESSION);
      } catch (error) {
        tell(sentenceOf(error), 'error');
      }
    },
  });
  pi.registerCommand('context-status', {
    description: 'Shows blocks, ephemeral contents and the log of this session',
    handler: async (_text, context) => {
      const session = current();
      teller(context)(session ? statusText(session.state, session.logFile) : NO_SESSION);
    },
  });
}

function discard(session: Session, id: string): string {
  if (!isBlockId(id)) {
    return 'Say which block: /context-discard ID. An ID is made of a to z, 0 to 9, _ and -.';
  }
  const text = tagLine('discard', id);
  return discardSentence(id, session.control({ source: 'pi:/context-discard', class: 'host-workflow', text }));
}
