import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDeclaration } from '../../protocol/lifecycle/declaration.ts';
import { outlineDocument, parseDocument } from '../../protocol/lifecycle/document.ts';
import { NEAR_MISS_REASONS, PROBLEM_CODES, STRUCTURAL_CODES } from '../../protocol/lifecycle/problem.ts';
import { isLineStart, LineCounter, renderMessage } from '../../protocol/lifecycle/text.ts';
import { anyText, tagSoup } from './tagSoup.ts';

const RUNS = { numRuns: 4000 };
const texts = fc.oneof({ weight: 9, arbitrary: tagSoup }, { weight: 1, arbitrary: anyText });

/** What the seed says, as plainly as it can be written: split into lines, match each whole. */
function exactLines(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .filter(
      line =>
        /^<!--(?:ephemeral|\/?BLOCK_ID:[a-z0-9_-]+|DISCARD_BLOCK:[a-z0-9_-]+)-->$/.test(line) && !/[\r\n]/.test(line),
    );
}

test('law: the tag lines are those that the four patterns match, and no others', () => {
  fc.assert(
    fc.property(texts, text => {
      const found = outlineDocument(text).declarations.map(({ range }) => text.slice(range.start, range.end));
      assert.deepEqual(found, exactLines(text));
    }),
    RUNS,
  );
});

test('editor-bugs 54: law: parsing is total, and the same text gives the same answer', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, tagSoup, fc.string({ unit: 'binary' })), text => {
      assert.deepEqual(parseDocument(text), parseDocument(text));
    }),
    RUNS,
  );
});

test('law: every range lies inside the text, and every problem is of a known kind with a whole sentence', () => {
  fc.assert(
    fc.property(texts, text => {
      const inside = ({ start, end }: { start: number; end: number }): void => {
        assert.ok(Number.isInteger(start) && start >= 0 && start <= end && end <= text.length, `${start}-${end}`);
      };
      for (const problem of outlineDocument(text).problems) {
        inside(problem.range);
        for (const { range } of [...problem.related, ...(problem.fix?.changes ?? [])]) {
          inside(range);
        }
        assert.ok(PROBLEM_CODES.includes(problem.code));
        assert.equal(
          problem.reason !== undefined && NEAR_MISS_REASONS.includes(problem.reason),
          problem.code === 'malformed-tag',
        );
        assert.match(renderMessage(problem.message), /^.+\.$/su);
        assert.doesNotMatch(problem.message.template, /\{[3-9]\}/);
      }
    }),
    RUNS,
  );
});

test('law: blocks and ordinary Markdown account for every character, in order', () => {
  fc.assert(
    fc.property(texts, text => {
      const { blocks, ordinaryMarkdown } = parseDocument(text);
      const valid = outlineDocument(text).blocks.filter(block => block.valid);
      let rebuilt = '';
      let ordinary = '';
      let from = 0;
      for (const [index, { opening, closing }] of valid.entries()) {
        const before = text.slice(from, opening.range.start);
        ordinary += before;
        rebuilt += before + text.slice(opening.range.start, opening.next) + blocks[index]!.content;
        rebuilt += text.slice(closing!.range.start, closing!.next);
        from = closing!.next;
      }
      assert.equal(rebuilt + text.slice(from), text);
      assert.equal(ordinary + text.slice(from), ordinaryMarkdown);
      assert.equal(blocks.length, valid.length);
    }),
    RUNS,
  );
});

test('law: structural problems come first, all others follow in document order', () => {
  fc.assert(
    fc.property(texts, text => {
      const { problems } = outlineDocument(text);
      const first = problems.findIndex(({ code }) => !STRUCTURAL_CODES.has(code));
      const rest = first < 0 ? [] : problems.slice(first);
      assert.ok(rest.every(({ code }) => !STRUCTURAL_CODES.has(code)));
      const starts = rest.map(({ range }) => range.start);
      assert.deepEqual(
        starts,
        starts.toSorted((a, b) => a - b),
      );
    }),
    RUNS,
  );
});

test('law: the line of each problem, block and discard is the one that its offset lies on', () => {
  fc.assert(
    fc.property(texts, text => {
      const lineOf = (offset: number): number => new LineCounter(text).lineAt(offset);
      const { problems, discards } = parseDocument(text);
      for (const { line, range } of problems) {
        assert.equal(line, lineOf(range.start));
      }
      const declared = outlineDocument(text).declarations.filter(({ kind }) => kind === 'discard');
      assert.deepEqual(
        discards.map(({ line }) => line),
        declared.map(({ range }) => lineOf(range.start)),
      );
    }),
    RUNS,
  );
});

test('law: a fix makes one more exact tag line and changes nothing else', () => {
  fc.assert(
    fc.property(texts, text => {
      const { declarations, problems } = outlineDocument(text);
      for (const { fix, blockId } of problems) {
        if (!fix) {
          continue;
        }
        assert.equal(fix.changes.length, 1);
        const { range, newText } = fix.changes[0]!;
        const fixed = text.slice(0, range.start) + newText + text.slice(range.end);
        const leading = /^(?:\r\n|\r|\n)?/.exec(newText)![0].length;
        const made = readDeclaration(fixed, range.start + leading);
        assert.ok(made && isLineStart(fixed, made.range.start), JSON.stringify(fixed));
        assert.equal(made.id, blockId ?? '');
        assert.equal(made.range.end, range.start + newText.trimEnd().length, 'the change holds the tag line only');
        const others = outlineDocument(fixed).declarations.filter(({ range: { start } }) => start !== made.range.start);
        const kept = others.filter(
          ({ range: { start } }) => start < range.start || start >= range.start + newText.length,
        );
        assert.equal(kept.length >= declarations.length, true, 'no tag line is lost');
      }
    }),
    RUNS,
  );
});

test('law: when every fix is applied, from the last to the first, none of the mended lines is a near miss any more', () => {
  fc.assert(
    fc.property(texts, text => {
      const { problems, declarations } = outlineDocument(text);
      const changes = problems
        .flatMap(({ fix }) => fix?.changes ?? [])
        .toSorted((a, b) => b.range.start - a.range.start);
      const fixed = changes.reduce(
        (mended, { range, newText }) => mended.slice(0, range.start) + newText + mended.slice(range.end),
        text,
      );
      assert.ok(outlineDocument(fixed).declarations.length >= declarations.length + changes.length);
    }),
    RUNS,
  );
});

test('law: a large text, whose lines are found by jumping, is read as a small one is', () => {
  const unit = { '\n': 'plain prose\n', '\r\n': 'plain prose\r\n', mixed: 'one\ntwo\rthree\r\n' };
  for (const prose of Object.values(unit)) {
    const much = prose.repeat(30_000);
    const extraLines = new LineCounter(much).lineAt(much.length) - new LineCounter(prose).lineAt(prose.length);
    const said = (of: string, length: number, lines: number): unknown =>
      parseDocument(of).problems.map(({ code, line, reason, message, range }) => ({
        code,
        line: line - lines,
        reason,
        message,
        range: { start: range.start - length, end: range.end - length },
      }));
    fc.assert(
      fc.property(tagSoup, soup => {
        const expected = said(prose + soup, prose.length, 0);
        assert.deepEqual(said(much + soup, much.length, extraLines), expected);
        assert.deepEqual(said(`${prose + soup}\n${much}`, prose.length, 0), said(`${prose + soup}\n`, prose.length, 0));
      }),
      { numRuns: 100 },
    );
  }
});

test('law: an LF text and the same text with CRLF say the same', () => {
  fc.assert(
    fc.property(texts, soup => {
      const text = soup.replace(/\r\n|\r/g, '\n');
      const crlf = text.replaceAll('\n', '\r\n');
      const said = (of: string): unknown =>
        parseDocument(of).problems.map(({ code, line, reason, message }) => ({ code, line, reason, message }));
      assert.deepEqual(said(crlf), said(text));
    }),
    RUNS,
  );
});
