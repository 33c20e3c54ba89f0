import { discardOutcomeText, discardPriceLines } from '../../protocol/log/discardWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { Price } from '../../protocol/log/sessionEvents.ts';
import { inNotification } from '../session/plainWords.ts';
import type { DiscardOutcome, PanelSession } from '../session/sessionModel.ts';
import { sessionName } from './drawing.ts';
import { beside, shown, type Wording } from './wording.ts';

/**
 * What a discard would change in which session, before it is done; `price` is absent where nobody counts,
 * `unanswered` where the session was asked in vain, `observed` where the agent
 * does not send the block's source by itself.
 */
export function whatIfText(
  price: Price | 'unanswered' | undefined,
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
export function outcomeText(blockId: string, outcome: DiscardOutcome, wording: Wording, observed?: string): string {
  return discardOutcomeText(inNotification(blockId), outcome, wording, { observed });
}
