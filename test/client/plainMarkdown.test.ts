import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { plainMarkdown } from '../../client/plainMarkdown.ts';

const markdown = new MarkdownIt({ html: true, linkify: true });

/** What a reader of the rendered Markdown sees; everything but one paragraph of text is shown as its kind. */
function seen(source: string): string {
  const [open, inline, close, ...rest] = markdown.parse(source, {});
  assert.deepEqual([open?.type, close?.type, rest.length], ['paragraph_open', 'paragraph_close', 0], source);
  return (inline?.children ?? [])
    .map(({ type, content }) => (type === 'text' || type === 'text_special' ? content : `[${type}]`))
    .join('');
}

test('links, HTML, commands, headings and lists of a document are shown as they stand', () => {
  for (const text of [
    '[x](command:evil)',
    '<img src=x onerror=alert(1)>',
    'https://example.com and www.example.com and a@example.com',
    '# no heading',
    '- no list',
    '1. no list',
    '`code` *strong* _em_ ~~gone~~ &amp; $(zap)',
    '| a | b |',
    'a--> \\\\ b',
  ]) {
    assert.equal(seen(plainMarkdown(text)), text);
  }
});

test('whatever the text, it is one paragraph of that text', () => {
  const word = fc.string({ minLength: 1, unit: 'grapheme' }).filter(text => !/\s/.test(text) && !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), words => {
      const text = words.join(' ');
      assert.equal(seen(plainMarkdown(text)), text);
    }),
  );
});
