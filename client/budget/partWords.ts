import type { UsageReport } from '../../protocol/budget/usageReport.ts';
import { countText, grouped } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { Wording } from '../views/wording.ts';
import { PARTS, type Part } from './budgetChart.ts';
import type { PartRow } from './page/pageData.ts';

const LABELS = {
  host: 'Host',
  tier1: 'Tier 1',
  tier2: 'Tier 2',
  tier3: 'Tier 3',
  tier4: 'Tier 4',
  unattributed: 'Unattributed',
} as const satisfies Record<Part, string>;

const DETAILS = {
  host: 'system prompt and tools',
  tier1: 'task and constraints',
  tier2: 'blocks and documents',
  tier3: 'history, raw or compressed',
  tier4: 'the last messages',
  unattributed: 'counted by the provider, in no part',
} as const satisfies Record<Part, string>;

export function partLabel(part: Part, { say }: Wording): string {
  return say({ template: LABELS[part], values: [] });
}

/** In the order of the report, then what no tier holds, then the total: the rows add up to it. */
export function partRows(report: UsageReport, wording: Wording): readonly PartRow[] {
  const { say } = wording;
  const { tiers, host, unattributed, total } = report;
  const parts = { host, unattributed, ...tiers };
  const order = [...PARTS.filter(part => part in tiers), 'host', 'unattributed'] as const;
  const rows = order.map((part): PartRow => {
    const amount = parts[part];
    const bounds = 'max' in amount ? boundsOf(amount) : { amount: countText(amount), percent: '', isOver: false };
    return {
      key: part,
      label: partLabel(part, wording),
      detail: say({ template: DETAILS[part], values: [] }),
      tokens: amount.tokens,
      ...bounds,
    };
  });
  const all: PartRow = {
    key: 'total',
    label: say(sentence('Total')),
    detail: say(sentence('the whole request in the window')),
    tokens: total.tokens,
    ...boundsOf(total),
  };
  return [...rows, all];
}

function boundsOf(row: UsageReport['total']): Pick<PartRow, 'amount' | 'max' | 'percent' | 'isOver'> {
  const { max, percent, tokens } = row;
  return { amount: `${countText(row)} / ${grouped(max)}`, max, percent: `${percent}%`, isOver: tokens > max };
}
