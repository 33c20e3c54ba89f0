import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, tableRows } from './pages.ts';
import { testTitles } from './testTitles.ts';

/** A row of a table in which tests stand beside what they prove. */
export interface ProvenRow {
  readonly sentence: string;
  readonly proof: string;
  /** Titles of tests by the file that they are in. */
  readonly tests: readonly (readonly [string, readonly string[]])[];
}

/** The rows of all tables of two cells in a text. */
export function provenRows(text: string): readonly ProvenRow[] {
  return tableRows(text).map(cells => rowOf(...cells.map(cell => cell.replaceAll('\\|', '|'))));
}

/** What stands in a cell of proof: files, each with titles of its tests. */
export function testsIn(proof: string): ProvenRow['tests'] {
  const files = [...proof.matchAll(/`(test\/[^`]+\.ts)`: (`[^`]+`(?:; `[^`]+`)*)/g)];
  return files.map(
    ([, file = '', titles = '']) => [file, [...titles.matchAll(/`([^`]+)`/g)].map(([, title = '']) => title)] as const,
  );
}

/** Fails where a test that a row names is not there, or not once. */
export function assertTestsExist(rows: readonly ProvenRow[]): void {
  for (const [file, titles] of rows.flatMap(({ tests }) => tests)) {
    assert.ok(existsSync(join(root, file)), file);
    const found = testTitles(file);
    for (const title of titles) {
      assert.equal(found.filter(each => each === title).length, 1, `${file}: ${title}`);
    }
  }
}

/** Fails where something in a proof looks like a path or a title and was not read as one. */
export function assertAllRead(rows: readonly ProvenRow[]): void {
  for (const { sentence, proof, tests } of rows) {
    const read = tests.reduce((count, [, titles]) => count + 1 + titles.length, 0);
    const words = tests.length === 0 ? '' : proof.slice(proof.indexOf('`test/'));
    assert.equal([...words.matchAll(/`[^`]+`/g)].length, read, sentence);
  }
}

function rowOf(sentence = '', proof = ''): ProvenRow {
  return { sentence, proof, tests: testsIn(proof) };
}
