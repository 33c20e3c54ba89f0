import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInThemes, colourLastLine, loadGrammar } from './grammarKit.ts';

const LINES = ['<!--ephemeral-->', '<!--BLOCK_ID:plan-->', '<!--/BLOCK_ID:plan-->', '<!--DISCARD_BLOCK:plan-->'];
const PLACES = ['', 'text\n', '```\n', '```html\n', '---\n', '<!-- open comment\n', '<div>\n'];

const themes = builtInThemes();

test('VS Code ships light, dark and high contrast themes', () => {
  assert.ok(themes.length >= 15, `${themes.length} themes`);
  assert.ok(themes.some(({ file }) => file === 'hc_black.json'));
  assert.ok(themes.some(({ file }) => file === 'hc_light.json'));
});

for (const { file, theme } of themes) {
  test(`${file}: keyword and ID of a live tag look different from an ordinary comment`, async () => {
    const grammar = await loadGrammar('text.html.markdown', { theme });
    const [comment] = colourLastLine(grammar, '<!-- plan -->');
    for (const place of PLACES) {
      for (const line of LINES) {
        const stretches = colourLastLine(grammar, place + line);
        for (const word of line.match(/[A-Z_]+|plan|ephemeral/g) ?? []) {
          const look = stretches.find(({ text }) => text.includes(word))?.look;
          assert.ok(
            look !== undefined && look !== comment?.look,
            `${word} of ${JSON.stringify(place + line)}: ${look}`,
          );
        }
      }
    }
  });
}
