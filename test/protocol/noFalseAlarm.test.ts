import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';
import { ordinaryLines } from './ordinaryLines.ts';

function alarms(text: string): readonly string[] {
  return outlineDocument(text).problems.map(({ code, reason }) => `${code} ${reason ?? ''}`);
}

test(`no false alarm: ${ordinaryLines.length} ordinary lines`, () => {
  assert.ok(ordinaryLines.length >= 100);
  for (const line of ordinaryLines) {
    assert.deepEqual(alarms(line), [], JSON.stringify(line));
    assert.deepEqual(alarms(`before\n\n${line}\n\nafter\n`), [], JSON.stringify(line));
  }
});

test('no false alarm: near misses in fenced code, in any fence that CommonMark knows', () => {
  for (const [open, close, indent] of [
    ['```', '```', ''],
    ['```markdown', '```', ''],
    ['~~~', '~~~', ''],
    ['~~~ a`b', '~~~~~', ''],
    ['   ````', '  `````  ', ''],
    ['> ```', '> ```', '> '],
    ['- ```', '  ```', '  '],
    ['10. ```', '    ```', '    '],
    ['> - ```', '>   ```', '>   '],
    ['- a\n\n  ```', '  ```', '  '],
    ['1. a\n   - b\n     ```', '     ```', '     '],
  ] as const) {
    const text = `${open}\n${indent}<!-- BLOCK_ID:a -->\n${indent}<!--EPHEMERAL-->\n${close}\n`;
    assert.deepEqual(alarms(text), [], text);
    assert.deepEqual(alarms(`${text}\n <!--ephemeral-->\n`), ['malformed-tag leading-characters'], text);
  }
});

test('what is no fence hides no near miss', () => {
  for (const [open, indent] of [
    ['    ```', '    '],
    ['    - ```', '      '],
    ['    > ```', '    > '],
    ['>     ```', '>     '],
    ['- a\n\n      ```', '      '],
    ['-```', ' '],
    ['1234567890. ```', '            '],
    ['1x ```', '   '],
    ['1 ```', '  '],
    ['*``` a', ' '],
    ['- ```\nb', ''],
    ['> ```\nb', ''],
    ['> > ```\n> b', '> '],
    ['1. ```\n  b', '  '],
  ] as const) {
    const text = `${open}\n${indent}<!-- BLOCK_ID:a -->\n`;
    assert.equal(alarms(text).length, 1, JSON.stringify(text));
  }
});

test('no false alarm: a fence goes on over blank lines of its list item', () => {
  assert.deepEqual(alarms('- ```\n\n\n  <!-- BLOCK_ID:a -->\n'), []);
  assert.deepEqual(alarms('-\n  ```\n  <!-- BLOCK_ID:a -->\n'), []);
  assert.deepEqual(alarms('-   a\n\n    ```\n    <!-- BLOCK_ID:a -->\n'), []);
  assert.deepEqual(alarms('-\ta\n\n\t```\n\t<!-- BLOCK_ID:a -->\n'), []);
  assert.deepEqual(alarms('>```\n><!-- BLOCK_ID:a -->\n'), []);
  assert.deepEqual(alarms('>\t```\n>\t<!-- BLOCK_ID:a -->\n'), []);
  assert.deepEqual(alarms('123456789) ```\n           <!-- BLOCK_ID:a -->\n'), []);
  assert.deepEqual(alarms('> - 1. + ```\n>        <!-- BLOCK_ID:a -->\n'), []);
});

test('no false alarm: near misses in front matter, comments and raw HTML', () => {
  assert.deepEqual(alarms('---\ntitle: <!-- BLOCK_ID:a -->\n <!--ephemeral-->\n---\n'), []);
  assert.deepEqual(alarms('<!--\n <!--ephemeral--\n <!-BLOCK_ID:a->\n-->\n'), []);
  assert.deepEqual(alarms('<pre>\n <!--ephemeral-->\n\n<!-- BLOCK_ID:a -->\n</pre>\n'), []);
  assert.deepEqual(alarms('<script>\n <!--ephemeral-->\n</script>\n'), []);
  assert.deepEqual(alarms('> <!--\n> <!-- BLOCK_ID:a --\n> b -->\n'), []);
  assert.deepEqual(alarms('- <pre>\n\n  <!-- BLOCK_ID:a -->\n  </pre>\n'), []);
});

test('no false alarm: inline code that goes on over lines', () => {
  assert.deepEqual(alarms('Write `a\n<!-- BLOCK_ID:a -->` here\n'), []);
});
