import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { MARK_STATES } from '../../../client/editor/tagMarks.ts';
import { inRepository } from '../../../scripts/build/paths.ts';
import { readText } from '../manifest.ts';

const icon = (state: string, theme: string): string => readText(`media/marks/${state}.${theme}.svg`);

test('every state has an icon for light and for dark themes, and there is no other', () => {
  const expected = MARK_STATES.flatMap(state => [`${state}.dark.svg`, `${state}.light.svg`]);
  assert.deepEqual(readdirSync(inRepository('media/marks')).toSorted(), expected.toSorted());
});

test('the shape of an icon tells its state without any colour, the same in all themes', () => {
  const shape = (state: string, theme: string): string => icon(state, theme).replaceAll(/#[0-9a-f]{6}/g, '');
  assert.equal(new Set(MARK_STATES.map(state => shape(state, 'light'))).size, MARK_STATES.length);
  for (const state of MARK_STATES) {
    assert.equal(shape(state, 'dark'), shape(state, 'light'), state);
  }
});

test('an icon can be seen on the background that its theme has: a contrast of 3 to 1 or more', () => {
  for (const state of MARK_STATES) {
    for (const [theme, background] of [
      ['light', 1],
      ['dark', luminance('#1f1f1f')],
    ] as const) {
      const colours = new Set(icon(state, theme).match(/#[0-9a-f]{6}/g));
      assert.equal(colours.size, 1, state);
      for (const colour of colours) {
        const [low = 0, high = 0] = [luminance(colour), background].toSorted((a, b) => a - b);
        assert.ok((high + 0.05) / (low + 0.05) >= 3, `${state} ${theme}`);
      }
    }
  }
});

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
