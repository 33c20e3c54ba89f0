import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CompressionPart } from '../../../../protocol/budget/compression.ts';
import type { SummaryUnit } from '../../../../protocol/budget/summary/summarizer.ts';

/** A private folder that is gone after the test. */
export function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cl-summaries-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The command of a program of Node. */
export function program(t: TestContext, source: string): readonly string[] {
  const file = join(folderOf(t), 'program.mjs');
  writeFileSync(file, source);
  return [process.execPath, file];
}

/** A record as the seed has it, but for the period. */
export function recordOf(topic: string, more: object = {}): object {
  return { topic, decisions: [], outcomes: [], active_constraints: [], errors_encountered: [], ...more };
}

/** A part of one group with these units. */
export function partOf(
  ...units: readonly (Pick<SummaryUnit, 'unit' | 'text'> & Partial<SummaryUnit>)[]
): CompressionPart {
  return {
    units: units.map(({ unit }) => unit),
    groups: [{ units: units.map(unit => ({ kind: 'user', isError: false, ...unit })), paths: ['src/a.ts'] }],
  };
}
