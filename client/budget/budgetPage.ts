import { triggerOf } from '../../protocol/budget/limits.ts';
import { grouped } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { CompressionWhatIf, PanelSession } from '../session/sessionModel.ts';
import { linkText, sessionName } from '../views/drawing.ts';
import { beside, type Wording } from '../views/wording.ts';
import { type BudgetChart, budgetChart, PARTS } from './budgetChart.ts';
import { budgetStatus, compressionsText } from './budgetStatus.ts';
import { canBeCompressed } from './compressionPrice.ts';
import { limitText } from './limitWords.ts';
import type { PageData, PartsData, RequestsData } from './page/pageData.ts';
import { partLabel, partRows } from './partWords.ts';
import { pointData } from './pointWords.ts';
import { whatIfText } from './whatIfWords.ts';

/** How the source of a window begins that nobody gave (adapter/budget/modelWindows.ts). */
const ASSUMED = /^assumed\b/;

/**
 * What the page of a session's budget draws; `howToTurnOn` is the sentence for a session without the layer, `whatIf` what the session
 * said that a compression would do, absent while it has said nothing.
 */
export function budgetPage(
  session: PanelSession,
  howToTurnOn: string,
  wording: Wording,
  whatIf?: CompressionWhatIf,
): PageData {
  const { say } = wording;
  const chart = budgetChart(session.state);
  const heading = say(sentence('Budget of {0}', sessionName(session)));
  const back = session.asOf === undefined ? {} : { back: say(sentence('Back to now')) };
  if (!chart.report) {
    return { heading, level: 'normal', reason: '', about: emptyTexts(chart, session, howToTurnOn, wording), ...back };
  }
  const { level, reason } = budgetStatus(chart.report, session.state);
  return {
    heading,
    level,
    reason: reason ? `${say(reason)}.` : '',
    about: [...whereTexts(session, wording), ...reportTexts(chart, session, wording)],
    ...back,
    parts: {
      ...partsData(chart.report, wording),
      ...(canBeCompressed(session) && { whatIf: whatIf === undefined ? '' : whatIfText(whatIf, wording) }),
    },
    requests: requestsData(chart, wording),
  };
}

/** Why there is nothing to draw. */
function emptyTexts(
  { layer }: BudgetChart,
  session: PanelSession,
  howToTurnOn: string,
  wording: Wording,
): readonly string[] {
  const { say } = wording;
  const where = whereTexts(session, wording);
  switch (layer) {
    case 'on':
      return [...where, say(sentence('Nothing was measured yet: the numbers come with the next request.'))];
    case 'off':
      return [
        ...where,
        say(sentence('The budget layer is off in this session, so nothing is measured and nothing is compressed.')),
        howToTurnOn,
      ];
    case 'unknown':
      return [
        ...where,
        say(sentence('No request was sent yet: with the budget layer on, the numbers come with the first one.')),
        howToTurnOn,
      ];
  }
}

/** When the page shows, or when it was last told, where that is not now. */
function whereTexts(session: PanelSession, wording: Wording): readonly string[] {
  const { asOf, state, link } = session;
  const { say, time } = wording;
  if (asOf !== undefined) {
    return [
      say(sentence('This is how the session was when request {0} had been sealed ({1}).', asOf, time(state.time ?? 0))),
    ];
  }
  return link.kind === 'connected' ? [] : [say(sentence('Not live: {0}.', linkText(session, wording)))];
}

function reportTexts(
  { report, unmeasured }: BudgetChart,
  { state }: PanelSession,
  wording: Wording,
): readonly string[] {
  if (!report) {
    return [];
  }
  const { say } = wording;
  const { lastCheck } = state.budget;
  const check = lastCheck
    ? say(sentence('last coherence check at {0}', wording.time(lastCheck.time)))
    : say(sentence('no coherence check yet'));
  const status = say(sentence('Status: {0}', report.status));
  return [
    beside([status, say(compressionsText(report.compressions)), check]),
    limitText(report, wording),
    ...(ASSUMED.test(report.limits.window.source)
      ? [say(sentence('Nobody gave the window. If you know it, set "budget": {"window": …} in config.json.'))]
      : []),
    ...(unmeasured
      ? [say(sentence('Requests {0} to {1} were not measured: the layer was off.', unmeasured.first, unmeasured.last))]
      : []),
  ];
}

function partsData(report: NonNullable<BudgetChart['report']>, wording: Wording): PartsData {
  const { say } = wording;
  const { limits, requestSequence } = report;
  const trigger = triggerOf(limits);
  return {
    title: say(sentence('Request {0}', requestSequence)),
    columns: [
      say(sentence('Part')),
      say(sentence('Share of the window')),
      say(sentence('Tokens / at most')),
      say(sentence('Filled')),
    ],
    rows: partRows(report, wording),
    window: limits.window.tokens,
    trigger,
    hard: limits.hard,
    triggerLabel: say(sentence('Compression begins above {0}', grouped(trigger))),
    hardLabel: say(sentence('Limit {0}', grouped(limits.hard))),
  };
}

function requestsData({ points, eachOf }: BudgetChart, wording: Wording): RequestsData {
  const { say } = wording;
  const last = points.at(-1);
  const tokensTitle = say(sentence('Tokens of each request'));
  const parts = PARTS.map(part => ({ key: part, label: partLabel(part, wording) }));
  return {
    title: eachOf === 1 ? say(sentence('Requests')) : say(sentence('Requests, {0} in each column', eachOf)),
    description: say(
      sentence(
        'Tokens of {0} requests, part by part, with compressions, discards and the limits; below them the share of the cache.',
        points.length,
      ),
    ),
    hint: say(
      sentence('Arrow keys move from request to request, Home and End to the first and the last; Enter opens it.'),
    ),
    showTable: say(sentence('Show as Table')),
    showChart: say(sentence('Show as Chart')),
    tokensTitle,
    cacheTitle: say(sentence("Share of the input that came from the provider's cache")),
    noCache: say(sentence('The provider did not say what came from its cache.')),
    triggerLabel: say(sentence('Compression begins above {0}', grouped(last?.trigger ?? 0))),
    hardLabel: say(sentence('Limit {0}', grouped(last?.hard ?? 0))),
    linesAbove: say(
      sentence(
        'Not drawn, for they lie far above: compression at {0}, limit {1}.',
        grouped(last?.trigger ?? 0),
        grouped(last?.hard ?? 0),
      ),
    ),
    columns: [
      say(sentence('Request')),
      say(sentence('Tokens')),
      say(sentence('Of the window')),
      ...parts.map(({ label }) => label),
      say(sentence('From cache')),
      say(sentence('What happened')),
    ],
    parts,
    marks: [
      { kind: 'compression', label: say(sentence('history compressed')) },
      { kind: 'emergency', label: say(sentence('cut to keep the limit')) },
      { kind: 'discard', label: say(sentence('block discarded')) },
      { kind: 'blocked', label: say(sentence('not sent')) },
    ],
    points: points.map(point => pointData(point, wording)),
  };
}
