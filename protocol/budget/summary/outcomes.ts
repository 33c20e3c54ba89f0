import { clipped } from './clipped.ts';
import type { SummaryUnit } from './summarizer.ts';

/** How programs say with what they ended. */
const EXIT_CODE = /\bexit(?:ed)?(?: with)?(?: (?:code|status))?[:= ]+(-?\d+)\b/i;

/** How test runners say what came of it. */
const TEST_TOTAL = /\b\d+ (?:tests? )?(?:passed|passing|failed|failing)\b[^\n\r]{0,40}/i;

/** Of a result's text only its end is searched for totals: they come last. */
const SEARCHED_END = 4_000;

/** What the units came to, each once, the latest last: totals of tests, exit codes, and what the last answer said. */
export function outcomesOf(units: readonly SummaryUnit[], length: number): readonly string[] {
  const outcomes = new Set<string>();
  for (const { kind, text } of units) {
    if (kind === 'tool-result') {
      const end = text.slice(-SEARCHED_END);
      const found = TEST_TOTAL.exec(end)?.[0] ?? EXIT_CODE.exec(end)?.[0];
      if (found !== undefined) {
        outcomes.add(clipped(found.trim(), length));
      }
    }
  }
  const answer = units.findLast(({ kind, text }) => kind === 'assistant' && text.trim() !== '');
  if (answer) {
    outcomes.add(clipped(firstLine(answer.text), length));
  }
  return [...outcomes];
}

/** First lines of tool results that failed, each once. */
export function errorsOf(units: readonly SummaryUnit[], length: number): readonly string[] {
  const failed = units.filter(unit => unit.kind === 'tool-result' && (unit.isError || hasFailed(unit.text)));
  return [...new Set(failed.map(({ text }) => clipped(firstLine(text), length)))].filter(line => line !== '');
}

function hasFailed(text: string): boolean {
  const code = EXIT_CODE.exec(text.slice(-SEARCHED_END))?.[1];
  return code !== undefined && Number(code) !== 0;
}

function firstLine(text: string): string {
  return text.trimStart().split(/[\n\r\u2028\u2029]/, 1)[0] ?? '';
}
