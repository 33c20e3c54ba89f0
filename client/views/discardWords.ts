import { discardPriceLines } from '../../protocol/log/priceWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { Price } from '../../protocol/log/sessionEvents.ts';
import { inNotification } from '../session/plainWords.ts';
import type { DiscardOutcome, PanelSession } from '../session/sessionModel.ts';
import { sessionName } from './drawing.ts';
import { beside, shown, type Wording } from './wording.ts';

/**
 * What a discard would change in which session, before it is done; `price` is absent where nobody counts, `observed` where the agent
 * does not send the block's source by itself.
 */
export function whatIfText(
  price: Price | undefined,
  session: PanelSession,
  wording: Wording,
  observed?: string,
): string {
  const about = beside([sessionName(session), shown(session.header.id)]);
  const lines = discardPriceLines(price, wording, observed === undefined ? undefined : shown(observed, 400));
  return [...lines, wording.say(sentence('Session: {0}', about))].join('\n');
}

/** Why it is not even asked; absent where a discard may be tried. */
export function refusalText({ link, mayDiscard }: PanelSession, blockId: string, wording: Wording): string | undefined {
  if (link.kind !== 'connected') {
    return wording.say(sentence('This session is not connected, so no block of it can be discarded.'));
  }
  return mayDiscard ? undefined : outcomeText(blockId, 'denied', wording);
}

/** What the session answered, for a notification; `observed` as for `whatIfText`. */
export function outcomeText(blockId: string, outcome: DiscardOutcome, { say }: Wording, observed?: string): string {
  const id = inNotification(blockId);
  switch (outcome) {
    case 'discarded':
      if (observed !== undefined) {
        return say(sentence('Block {0} is discarded, but the agent goes on to send it by itself.', id));
      }
      return say(sentence('Block {0} is discarded: it is absent from the next request and all later ones.', id));
    case 'repeated':
      return say(sentence('Block {0} was discarded already, so nothing changed.', id));
    case 'unknown':
      return say(sentence('The session knows no block {0}, so nothing changed.', id));
    case 'denied':
      return say(sentence('The policy of the session does not let an editor discard, so block {0} stays.', id));
  }
}
