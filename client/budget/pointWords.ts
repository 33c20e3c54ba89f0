import { countText, grouped } from '../../protocol/log/countText.ts';
import { payBackText } from '../../protocol/log/priceWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { Wording } from '../views/wording.ts';
import { type ChartPoint, PARTS } from './budgetChart.ts';
import type { Marks } from './chartMarks.ts';
import type { MarkKind, PointData } from './page/pageData.ts';

/** A point with its words: what a screen reader says of it, and its row in the table. */
export function pointData(point: ChartPoint, { say }: Wording): PointData {
  const { request, total, window, trigger, hard, parts, cache, gate } = point;
  const happened = happenedText(point, { say });
  const cached = cache && Math.round((cache.read / cache.input) * 100);
  const percent = percentOf(total.tokens, window);
  const facts = [
    say(sentence('{0} tokens, {1}% of the window', countText(total), percent)),
    ...(cached === undefined ? [] : [say(sentence('{0}% of the input from the cache', cached))]),
    ...happened,
  ];
  return {
    request,
    label: say(sentence('{0}: {1}.', nameOf(point, { say }), facts.join('; '))),
    cells: [
      point.first === point.last ? String(request) : `${request} (${point.first}–${point.last})`,
      countText(total),
      `${percent}%`,
      ...PARTS.map(part => countText(parts[part])),
      cached === undefined ? '–' : `${cached}%`,
      happened.join(', '),
    ],
    sizes: PARTS.map(part => parts[part].tokens),
    total: total.tokens,
    trigger,
    hard,
    ...(cached !== undefined && { cached }),
    marks: MARKS.flatMap(({ kind, of }) => (of(point.marks) > 0 ? [kind] : [])),
    canOpen: gate !== 'blocked',
  };
}

function nameOf({ request, first, last }: ChartPoint, { say }: Pick<Wording, 'say'>): string {
  return first === last
    ? say(sentence('Request {0}', request))
    : say(sentence('Request {0}, the largest of {1} to {2}', request, first, last));
}

/** As the report rounds it: half up, never cut at 100. */
function percentOf(tokens: number, window: number): string {
  return grouped(Math.floor((tokens * 200 + window) / (2 * window)));
}

const MARKS: readonly { readonly kind: MarkKind; readonly of: (marks: Marks) => number }[] = [
  { kind: 'compression', of: ({ compressions }) => compressions },
  { kind: 'emergency', of: ({ emergencies }) => emergencies },
  { kind: 'discard', of: ({ discards }) => discards },
  { kind: 'blocked', of: ({ blocked }) => blocked },
];

/** What was different before this request, each in a few words. */
function happenedText({ marks, gate }: ChartPoint, wording: Pick<Wording, 'say'>): readonly string[] {
  const { say } = wording;
  const { compressions, emergencies, discards, blocked, pass } = marks;
  return [
    ...(compressions > 0 ? [say(sentence('history compressed'))] : []),
    ...(emergencies > 0 ? [say(sentence('cut to keep the limit'))] : []),
    ...(pass ? [passText(pass, wording)] : []),
    ...(discards === 0
      ? []
      : [say(discards === 1 ? sentence('1 block discarded') : sentence('{0} blocks discarded', discards))]),
    ...(blocked > 0 ? [say(sentence('not sent: above the limit'))] : []),
    ...(gate === 'warned' ? [say(sentence('sent above the limit'))] : []),
  ];
}

/** tiers 5: what a pass freed, and when that has paid for what the provider's cache lost. */
function passText({ before, after, price }: NonNullable<Marks['pass']>, wording: Pick<Wording, 'say'>): string {
  const [had, has] = [countText(before), countText(after)];
  return price
    ? wording.say(sentence('{0} to {1} tokens, {2}', had, has, payBackText(price.breakEven, wording)))
    : wording.say(sentence('{0} to {1} tokens', had, has));
}
