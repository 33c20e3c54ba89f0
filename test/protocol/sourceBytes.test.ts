import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { outlineDocument, parseDocument } from '../../protocol/lifecycle/document.ts';
import { type Decode, decodeSource, looksBinary, saysNothing } from '../../protocol/lifecycle/sourceBytes.ts';
import { renderMessage } from '../../protocol/lifecycle/text.ts';

const decode: Decode = (encoding, bytes) => new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);

const BOM = [0xef, 0xbb, 0xbf];
const TAG = '<!--ephemeral-->';

function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap(part => (typeof part === 'string' ? [...Buffer.from(part, 'utf8')] : [...part])),
  );
}

function utf16(text: string, bigEndian: boolean): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
}

/** `code@start-end:line` of each note. */
function notesOf(bytes: Uint8Array): readonly string[] {
  return decodeSource(bytes, decode).notes.map(
    ({ code, range, line }) => `${code}@${range.start}-${range.end}:${line}`,
  );
}

test('editor-bugs 8: exactly one byte order mark is taken off, and is noted', () => {
  const one = decodeSource(bytesOf(BOM, TAG), decode);
  assert.equal(one.text, TAG);
  assert.deepEqual(notesOf(bytesOf(BOM, TAG)), ['byte-order-mark@0-0:1']);
  assert.equal(parseDocument(one.text).ephemeral, true);
  const two = decodeSource(bytesOf(BOM, BOM, TAG), decode);
  assert.equal(two.text, `\ufeff${TAG}`);
  assert.equal(parseDocument(two.text).ephemeral, false);
  assert.equal(parseDocument(two.text).problems[0]?.reason, 'leading-characters');
  assert.deepEqual(decodeSource(bytesOf(TAG), decode), { text: TAG, notes: [] });
});

test('editor-bugs 10: front matter is found with and without a byte order mark', () => {
  for (const mark of [[], BOM, [...BOM, ...BOM]]) {
    const { text } = decodeSource(bytesOf(mark, `---\n${TAG}\n---\n`), decode);
    assert.match(parseDocument(text).problems[0]?.message ?? '', /front matter/);
  }
});

test('UTF-16 with its mark is decoded in both byte orders', () => {
  for (const [bigEndian, name] of [
    [false, 'little-endian'],
    [true, 'big-endian'],
  ] as const) {
    const { text, notes } = decodeSource(utf16(`é😀\n${TAG}`, bigEndian), decode);
    assert.equal(text, `é😀\n${TAG}`);
    assert.deepEqual(
      notes.map(({ code }) => code),
      ['utf-16'],
    );
    assert.match(renderMessage(notes[0]!.message), new RegExp(name));
  }
  assert.equal(decodeSource(Uint8Array.of(0xff, 0xfe), decode).text, '');
});

test('bytes that are no UTF-8 are read as U+FFFD and the first place is noted', () => {
  assert.deepEqual(notesOf(bytesOf('a😀\n', [0xff], 'b', [0xc3], '\n')), ['invalid-utf8@4-5:2']);
  assert.match(renderMessage(decodeSource(bytesOf([0xff, 0xff]), decode).notes[0]!.message), /: 2\.$/);
  assert.deepEqual(notesOf(bytesOf('\ufffd a real one')), []);
  assert.deepEqual(notesOf(bytesOf('\ufffd', [0xed, 0xa0, 0x80])), ['invalid-utf8@1-2:1']);
  assert.equal(decodeSource(bytesOf('<!--BLOCK_ID:', [0xe9], '-->'), decode).text, '<!--BLOCK_ID:\ufffd-->');
});

test('law: the place of the first bad byte is where the decoder put its U+FFFD', () => {
  const good = fc.string({ unit: 'binary' }).map(text => Buffer.from(text).toString().replaceAll('\ufffd', ''));
  const bad = fc.uint8Array({ maxLength: 8 }).filter(bytes => decode('utf-8', bytes).includes('\ufffd'));
  fc.assert(
    fc.property(good, bad, good, (before, wrong, after) => {
      const bytes = bytesOf(before, [...wrong], ' ', after);
      const { text, notes } = decodeSource(bytes, decode);
      const note = notes.find(({ code }) => code === 'invalid-utf8');
      const count =
        text.split('\ufffd').length - 1 - (decode('utf-8', wrong).includes('\ufffd') ? realReplacements(wrong) : 0);
      assert.equal(text.charCodeAt(note!.range.start), 0xfffd);
      assert.equal(note!.message.values[0], String(count));
    }),
    { numRuns: 2000 },
  );
});

/** U+FFFD that the bytes spell out. */
function realReplacements(bytes: Uint8Array): number {
  return Buffer.from(bytes).toString('latin1').split('\u00ef\u00bf\u00bd').length - 1;
}

test('editor-bugs 1, 4, 7: mixed line ends and lone CR are noted at the first odd one', () => {
  assert.deepEqual(notesOf(bytesOf('a\nb\nc')), []);
  assert.deepEqual(notesOf(bytesOf('a\r\nb\r\n')), []);
  assert.deepEqual(notesOf(bytesOf('a\rb\r')), ['lone-cr@1-2:1']);
  assert.deepEqual(notesOf(bytesOf('a\nb\r\nc\n')), ['mixed-line-ends@3-5:2']);
  assert.deepEqual(notesOf(bytesOf('a\r\nb\nc')), ['mixed-line-ends@4-5:2']);
  assert.deepEqual(notesOf(bytesOf('a\r\nb\rc\n')), ['mixed-line-ends@4-5:2', 'lone-cr@4-5:2']);
  assert.deepEqual(notesOf(bytesOf('a\r\rb')), ['lone-cr@1-2:1']);
  assert.deepEqual(notesOf(bytesOf('\u2028\u2029\u0085\n')), []);
  const [mixed] = decodeSource(bytesOf('a\r\nb\nc\rd\n'), decode).notes;
  assert.match(renderMessage(mixed!.message), /1 CRLF, 2 LF, 1 CR/);
});

test('notes come in document order with a mark first', () => {
  assert.deepEqual(notesOf(bytesOf(BOM, 'a\n', [0xff], 'b\r')), [
    'byte-order-mark@0-0:1',
    'invalid-utf8@2-3:2',
    'mixed-line-ends@4-5:2',
    'lone-cr@4-5:2',
  ]);
});

test('binary data is told from text as Git does, and UTF-16 with its mark is text', () => {
  assert.equal(looksBinary(bytesOf('text')), false);
  assert.equal(looksBinary(bytesOf('a\0b')), true);
  assert.equal(looksBinary(bytesOf('a'.repeat(7999), [0])), true);
  assert.equal(looksBinary(bytesOf('a'.repeat(8000), [0])), false);
  assert.equal(looksBinary(utf16('text', false)), false);
  assert.equal(looksBinary(utf16('text', true)), false);
  assert.equal(looksBinary(new Uint8Array()), false);
});

test('bytes that say nothing have no notes, no tags and no problems, wherever they start in memory', () => {
  const piece = fc.constantFrom(
    'text',
    '\n',
    '\r\n',
    '<',
    '!',
    '<!--ephemeral-->',
    '<!-- ephemeral -->',
    'é',
    '\ufeff',
    'a',
  );
  let quiet = 0;
  const law = fc.property(fc.array(piece, { maxLength: 6 }), fc.nat({ max: 4 }), (pieces, offset) => {
    const content = new TextEncoder().encode(pieces.join(''));
    const bytes = new Uint8Array(content.length + offset).subarray(offset);
    bytes.set(content);
    if (saysNothing(bytes)) {
      quiet++;
      const { text, notes } = decodeSource(bytes, decode);
      const { declarations, problems } = outlineDocument(text);
      assert.deepEqual([notes, declarations, problems], [[], [], []]);
    }
  });
  fc.assert(law, { numRuns: 2_000 });
  assert.ok(quiet > 200, `only ${quiet} said nothing`);
});
