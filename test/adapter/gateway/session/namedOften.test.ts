import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KnownSource, knownSource } from '../../../../adapter/gateway/session/knownSource.ts';
import { alignedCopy } from '../../../../adapter/gateway/session/strippedCopy.ts';
import { definition } from '../../../protocol/lifecycle/lifecycleKit.ts';

const ids = Array.from({ length: 1_000 }, (_, place) => `b${place}`);
const source = knownSource({
  path: '/p/CLAUDE.md',
  text: `Title\n${ids.map(id => definition(id, `rule ${id}`)).join('')}`,
});

/** The same source, and how often its lines and blocks were looked at. */
function counted(): { readonly source: KnownSource; readonly looks: () => number } {
  let looks = 0;
  const watched = <Item>(items: readonly Item[]): readonly Item[] =>
    new Proxy(items, {
      get(target, name) {
        looks++;
        return Reflect.get(target, name) as unknown;
      },
    });
  return {
    source: { ...source, lines: watched(source.lines), blocks: watched(source.blocks) },
    looks: () => looks,
  };
}

test('a text that names a large source is compared only as far as it follows it: a text that names it a thousand times holds nobody up', () => {
  for (const text of [
    '',
    'something else\nand more\n',
    'Title\nsomething else\n',
    'Title\nrule b0\nsomething else\n',
  ]) {
    const { source: watched, looks } = counted();
    alignedCopy(text, 0, watched);
    assert.ok(looks() < 100, `${looks()} looks for ${JSON.stringify(text)}`);
  }
});

test('a copy of a large source without its comments is found whole all the same', () => {
  const stripped = `Title\n${ids.map(id => `rule ${id}\n`).join('')}`;
  const { cuts, found } = alignedCopy(stripped, 0, source);
  assert.equal(found.size, ids.length);
  assert.deepEqual(
    cuts.map(({ start, end }) => stripped.slice(start, end)),
    ids.map(id => `rule ${id}\n`),
  );
});
