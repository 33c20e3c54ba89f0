import { TIERS } from '../protocol/budget/limits.ts';
import type { UsageReport } from '../protocol/budget/usageReport.ts';
import { countText, grouped } from '../protocol/log/countText.ts';

/** How the source of a limit begins that nobody gave (adapter/budget/modelWindows.ts). */
const ASSUMED = /^assumed\b/;

/**
 * What a person should know beside a usage report, in sentences: tiers above their share (T-38), a window that nobody gave, and
 * requests behind the one that it tells of.
 */
export function usageNotes(report: UsageReport, requests: number): readonly string[] {
  return [...overShares(report), ...maybeAbove(report), ...assumedWindow(report), ...unmeasured(report, requests)];
}

function overShares({ tiers, flags }: UsageReport): readonly string[] {
  const over = TIERS.flatMap((tier, index) => {
    const { tokens, origin, max } = tiers[tier];
    return tokens > max
      ? [`Tier ${index + 1} takes ${countText({ tokens, origin })} tokens, more than its share of ${grouped(max)}.`]
      : [];
  });
  return [
    ...over,
    ...(flags.includes('tier4-over-max')
      ? [
          `The last 50 messages take more than tier 4 may (${grouped(tiers.tier4.max)} tokens), so the oldest of them count as tier 3.`,
        ]
      : []),
  ];
}

/** The numbers alone would not say why the status is CRITICAL. */
function maybeAbove({ requestSequence, total, limits: { hard }, flags }: UsageReport): readonly string[] {
  return flags.includes('over-limit') && total.tokens <= hard
    ? [
        `Request ${requestSequence} takes ${countText(total)} tokens, an estimate that may be too low: it may be above the limit of ${grouped(hard)}, so it counts as above it.`,
      ]
    : [];
}

function assumedWindow({ limits: { window } }: UsageReport): readonly string[] {
  return ASSUMED.test(window.source)
    ? [
        `The window of ${grouped(window.tokens)} tokens is ${window.source}. If you know it, set "budget": {"window": …} in config.json.`,
      ]
    : [];
}

function unmeasured({ requestSequence }: UsageReport, requests: number): readonly string[] {
  return requests > requestSequence
    ? [
        `The numbers are those of request ${requestSequence}: later ones, up to request ${requests}, were not measured, because the budget layer was off.`,
      ]
    : [];
}
