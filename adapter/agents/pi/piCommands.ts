import { isBlockId, tagLine } from '../../../protocol/lifecycle/declaration.ts';
import type { Session } from '../../sessionTypes.ts';
import { activeBlocks, discardSentence, statusText, usageText } from '../sessionSummary.ts';
import { sentenceOf } from '../tell.ts';
import type { PiApi, PiCommandContext } from './piApi.ts';
import type { PiSession } from './piSession.ts';
import { type Tell, teller } from './piTeller.ts';

/** What a person types: it is the host's own workflow, which the policy may let discard. */
export function registerCommands(pi: PiApi, current: () => PiSession | undefined): void {
  const handler =
    (work: (session: Session, text: string) => string) =>
    async (text: string, context: PiCommandContext): Promise<void> => {
      const tell = teller(context);
      try {
        const open = current();
        tell(open ? answer(open, context, tell, session => work(session, text.trim())) : 'No session is open.');
      } catch (error) {
        tell(sentenceOf(error), 'error');
      }
    };
  pi.registerCommand('context-discard', {
    description: 'Drops a block from every later request',
    getArgumentCompletions: prefix => {
      const open = current();
      const fitting = open ? activeBlocks(open.session.state).filter(id => id.startsWith(prefix)) : [];
      return fitting.length === 0 ? null : fitting.map(id => ({ value: id, label: id }));
    },
    handler: handler(discard),
  });
  pi.registerCommand('context-usage', {
    description: 'Shows what the context of this session takes, tier by tier',
    handler: handler(usageText),
  });
  pi.registerCommand('context-status', {
    description: 'Shows blocks, ephemeral contents and the log of this session',
    handler: handler(statusText),
  });
}

/** Before the first prompt no context file is loaded, unless pi says which ones there are. */
function answer(open: PiSession, context: PiCommandContext, tell: Tell, work: (session: Session) => string): string {
  if (!open.started) {
    if (!context.getSystemPromptOptions) {
      return 'pi loads context files with the first prompt, so no block is known yet: ask again after it.';
    }
    open.load(context.getSystemPromptOptions(), tell);
  }
  return work(open.session);
}

function discard(session: Session, id: string): string {
  if (!isBlockId(id)) {
    return 'Say which block: /context-discard ID. An ID is made of a to z, 0 to 9, _ and -.';
  }
  const text = tagLine('discard', id);
  return discardSentence(id, session.control({ source: 'pi:/context-discard', class: 'host-workflow', text }));
}
