import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The test host's own packages are there only after the first run in the host; the project's always are. */
const FOLDERS = ['node_modules', 'test/host/node_modules'];

function markdownUnder(folder: string): readonly string[] {
  const from = path.join(root, folder);
  if (!existsSync(from)) {
    return [];
  }
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name))
    .map(entry => path.join(entry.parentPath, entry.name));
}

test('no false alarm in any Markdown file of the packages that are installed here', t => {
  const files = FOLDERS.map(folder => markdownUnder(folder));
  t.diagnostic(FOLDERS.map((folder, index) => `${files[index]?.length} files under ${folder}`).join(', '));
  assert.ok((files[0]?.length ?? 0) > 500);
  const alarms = files.flat().flatMap(file => {
    const text = readFileSync(file, 'utf8');
    return outlineDocument(text).problems.map(
      ({ code, reason, range }) =>
        `${path.relative(root, file)}: ${code} ${reason} ${text.slice(range.start, range.end)}`,
    );
  });
  assert.deepEqual(alarms, []);
});
