import { type UsageReport, usageReport } from '../../protocol/budget/usageReport.ts';
import { countText, grouped } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import { type BudgetStatus, budgetStatus, compressionsText } from '../budget/budgetStatus.ts';
import { shown, tokensSpoken, type Wording } from '../views/wording.ts';
import type { PanelSession, PanelSessions } from './sessionModel.ts';

/** What the status bar says. */
export interface StatusText {
  readonly label: string;
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly spoken: string;
  /** How the session stands to its limits; absent where the budget layer measured nothing. */
  readonly budget?: BudgetStatus['level'];
}

/** Of the current session, or of another one where that is not connected; absent while none is. */
export function statusText({ all, current }: PanelSessions, wording: Wording): StatusText | undefined {
  const session = [current, ...all].find(each => each?.link.kind === 'connected');
  if (!session) {
    return undefined;
  }
  const { say } = wording;
  const { lifecycle, requests } = session.state;
  const active = [...lifecycle.blocks.values()].filter(({ status }) => status === 'active').length;
  const total = requests.get(requests.length - 1)?.sealed.sizes?.total;
  const report = usageReport(session.state);
  const status = report && budgetStatus(report, session.state);
  const reason = status?.reason && say(status.reason);
  const count = say(active === 1 ? sentence('1 block active') : sentence('{0} blocks active', active));
  const tokens = total && say(sentence('{0}, {1} tokens', count, countText(total)));
  const label = reason === undefined ? (tokens ?? count) : say(sentence('{0}, {1}', count, reason));
  const parts = [
    nameOf(session, wording),
    say(active === 1 ? sentence('1 block is active.') : sentence('{0} blocks are active.', active)),
    ...(total ? [say(sentence('The last request: {0}', tokensSpoken(wording, total)))] : []),
    ...(report ? [budgetText(report, reason, wording)] : []),
  ];
  return { label, tooltip: parts.join('\n'), spoken: parts.join(' '), ...(status && { budget: status.level }) };
}

function budgetText(
  { total, limits, compressions }: UsageReport,
  reason: string | undefined,
  wording: Wording,
): string {
  const { say } = wording;
  const window = grouped(limits.window.tokens);
  const how = say(compressionsText(compressions));
  return reason === undefined
    ? say(sentence('Budget: {0}% of the window of {1}, {2}.', total.percent, window, how))
    : say(sentence('Budget: {0}. Window: {1} tokens, {2}.', reason, window, how));
}

function nameOf({ header }: PanelSession, { say }: Wording): string {
  return say(sentence('Session {0} of {1}.', shown(header.id), shown(header.agent)));
}
