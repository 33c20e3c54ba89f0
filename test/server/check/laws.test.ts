import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FINDING_CODES } from '../../../server/check/finding.ts';
import { defaultSeverity } from '../../../server/check/rules.ts';
import { findingsIn } from './checkKit.ts';

const id = fc.constantFrom('a', 'b', '__proto__', 'constructor');
const line = fc.oneof(
  id.map(name => `<!--BLOCK_ID:${name}-->`),
  id.map(name => `<!--/BLOCK_ID:${name}-->`),
  id.map(name => `<!--DISCARD_BLOCK:${name}-->`),
  fc.constantFrom('<!--ephemeral-->', '```', '---', 'text', '<!--', '-->', '<!-- BLOCK_ID:a -->', '😀'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const lines = fc.array(line, { maxLength: 15 });
const path = fc.constantFrom('AGENTS.md', 'CLAUDE.md', 'x/AGENTS.md', 'notes.md');

test('for any documents: findings are in order, inside the text, rated by their code, and explained by real places', () => {
  fc.assert(
    fc.property(fc.dictionary(path, lines), path, (files, checked) => {
      const text = (files[checked] ?? []).join('\n');
      const findings = findingsIn(checked, files);
      for (const [index, { range, code, severity, related }] of findings.entries()) {
        assert.ok(FINDING_CODES.includes(code));
        assert.equal(severity, defaultSeverity(code));
        assert.ok(range.start >= (findings[index - 1]?.range.start ?? 0));
        assert.ok(range.start <= range.end && range.end <= text.length);
        for (const place of related) {
          if (place.kind === 'here') {
            assert.ok(place.range.start <= place.range.end && place.range.end <= text.length);
          } else {
            const tag = (files[place.uri.replace('file:///project/', '')] ?? []).join('\n').split(/\r\n|\r|\n/)[
              place.line
            ];
            assert.match(tag ?? '', /^<!--\/?[A-Z_]+:[a-z0-9_-]+-->$/);
            assert.equal(tag?.length, place.length);
          }
        }
      }
    }),
  );
});

test('the same ID fifty thousand times: findings stay small and their number linear', () => {
  const count = 50_000;
  const blocks = Array.from({ length: count }, () => '<!--BLOCK_ID:a-->\n<!--/BLOCK_ID:a-->');
  const discards = Array.from({ length: count }, () => '<!--DISCARD_BLOCK:b-->');
  const findings = findingsIn('AGENTS.md', { 'AGENTS.md': [...blocks, ...discards] });
  assert.equal(findings.length, 2 * count);
  assert.ok(findings.every(({ related }) => related.length <= 10));
});
