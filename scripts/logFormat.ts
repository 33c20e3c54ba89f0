import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { writeOutput } from './build/outputs.ts';
import { inRepository } from './build/paths.ts';
import { eventSections, handoffTable, headerTable, sharedSections, sourceClasses } from './logFormat/eventTables.ts';

/** The page on the format of logs, whose tables follow the shapes in protocol/. */
export const logFormatPage = 'docs/log-format.md';

/** The page on the file by which one session goes on from another. */
export const handoffPage = 'docs/handoff.md';

const TABLES: Readonly<Record<string, () => string>> = {
  'first line': headerTable,
  events: eventSections,
  'shared shapes': sharedSections,
  classes: sourceClasses,
  'handoff file': handoffTable,
};

/** A page in which what stands between each pair of marks is generated anew. */
export function withTables(page: string): string {
  return page.replace(
    /(<!-- generated: ([a-z ]+) -->\n)[^]*?(<!-- end of generated -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${TABLES[name]?.() ?? ''}\n\n${end}`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const page of [logFormatPage, handoffPage]) {
    writeOutput(page, withTables(readFileSync(inRepository(page), 'utf8')));
  }
}
