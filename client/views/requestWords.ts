import { countText, grouped } from '../../protocol/log/countText.ts';
import { partText, payBackText, tokensText } from '../../protocol/log/priceWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { EventData, Price, Sizes } from '../../protocol/log/sessionEvents.ts';
import type { RequestState } from '../../protocol/log/sessionState.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import type { Drawing } from './drawing.ts';
import { renderShown } from './eventWords.ts';
import { beside, type Wording } from './wording.ts';

type Sealed = EventData<'request/sealed'>;

/** `~28% kept`: how much of the request before stands unchanged at the start of this one; empty where nobody counts. */
export function keptText({ price }: Sealed, before: RequestState, { say }: Wording): string {
  const total = before.sealed.sizes?.total.tokens;
  if (!price) {
    return '';
  }
  if (!price.divergence) {
    return say(sentence('all of the request before kept'));
  }
  if (total === undefined || total <= 0) {
    return '';
  }
  const lost = price.rewritten.tokens + price.freed.tokens;
  const share = Math.min(1, Math.max(0, 1 - lost / total));
  return say(sentence('~{0}% kept', Math.floor(share * 100)));
}

/** `12 messages`. */
export function messagesText(count: number, { say }: Wording): string {
  return say(count === 1 ? sentence('1 message') : sentence('{0} messages', grouped(count)));
}

/** Where a request first differs, and what that costs. */
export function differenceText({ divergence, rewritten, freed, breakEven }: Price, wording: Wording): string {
  const { say } = wording;
  if (!divergence) {
    return say(sentence('none: it begins with the request before'));
  }
  const part = partText(divergence.part, wording);
  const place =
    divergence.index === undefined
      ? say(sentence('{0}, byte {1}', part, grouped(divergence.offset)))
      : say(sentence('{0}, number {1}, byte {2}', part, divergence.index + 1, grouped(divergence.offset)));
  return beside([
    place,
    say(sentence('{0} sent anew', tokensText(wording, rewritten))),
    say(sentence('{0} freed', tokensText(wording, freed))),
    payBackText(breakEven, wording),
  ]);
}

/** What the parts of a request take; they add up to the total. */
export function sizesText({ total, ...parts }: Sizes, wording: Wording): string {
  const { say } = wording;
  const { system, tools, prefix, messages, unattributed } = parts;
  return beside([
    tokensText(wording, total),
    `${partText('system', wording)} ${countText(system)}`,
    `${partText('tools', wording)} ${countText(tools)}`,
    `${partText('prefix', wording)} ${countText(prefix)}`,
    `${partText('messages', wording)} ${countText(messages)}`,
    `${say(sentence('unattributed'))} ${countText(unattributed)}`,
  ]);
}

const RECEIPTS = {
  matched: 'what left is what was sealed',
  mismatch: 'MISMATCH: what left is not what was sealed',
  quoted: 'a discarded block is quoted in ordinary content',
  'not-reported': 'the agent does not report what left',
} as const;

export function receiptText(receipt: RequestState['receipt'], { say }: Wording): string {
  return say({ template: receipt ? RECEIPTS[receipt.result] : 'nothing was seen to leave yet', values: [] });
}

/** How a request was answered, with what the provider says that it took. */
export function answerText({ ended }: RequestState, { say }: Wording): string {
  if (!ended) {
    return say(sentence('none yet'));
  }
  const { input, output, cacheRead, cacheWrite } = ended.usage ?? {};
  return beside([
    say({ template: OUTCOMES[ended.outcome ?? 'completed'], values: [] }),
    input === undefined ? '' : say(sentence('input {0}', grouped(input))),
    cacheRead === undefined ? '' : say(sentence('read from cache {0}', grouped(cacheRead))),
    cacheWrite === undefined ? '' : say(sentence('written to cache {0}', grouped(cacheWrite))),
    output === undefined ? '' : say(sentence('output {0}', grouped(output))),
  ]);
}

const OUTCOMES = { completed: 'completed', failed: 'failed', aborted: 'aborted' } as const;

/** The events that the log names as causes of what changed, as far as they are known; at most so many are asked for. */
export function causeTexts(
  session: PanelSession,
  { changes }: Sealed,
  drawing: Drawing,
  limit: number,
): readonly string[] {
  const seqs = [...new Set(changes.flatMap(({ causes }) => causes))].slice(0, limit);
  return seqs.flatMap(seq => {
    const event = drawing.eventOf(session, seq);
    return event ? [renderShown(event, session, drawing.wording)] : [];
  });
}
