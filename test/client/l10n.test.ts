import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inRepository } from '../../scripts/build/paths.ts';
import { parseFile } from '../../scripts/l10n/syntax.ts';
import { templatesIn } from '../../scripts/l10n/templates.ts';
import { bundleFile, bundleText } from '../../scripts/l10n.ts';

function found(...texts: readonly string[]): readonly string[] {
  return [...templatesIn(texts.map((text, index) => parseFile(`room/${'abc'[index]}.ts`, text)))].toSorted();
}

test(`${bundleFile} holds every sentence of protocol, server and client (npm run l10n writes it)`, () => {
  assert.equal(readFileSync(inRepository(bundleFile), 'utf8'), bundleText());
});

test('a literal, a condition and a sum are found', () => {
  assert.deepEqual(found("const m = { template: ok ? 'one' : `two`, values: [] };"), ['one', 'two']);
  assert.deepEqual(found("const m = { template: 'one ' + 'two', values: [] };"), ['one two']);
  assert.deepEqual(found("window.show(l10n.t('say {0}', name));"), ['say {0}']);
});

test('constants are followed, those of other functions are not', () => {
  const text =
    "function f() { const template = 'mine'; return { template, values: [] }; } function g() { const template = 1; }";
  assert.deepEqual(found(text), ['mine']);
});

test('a key of a table is one sentence, an index is all of them', () => {
  const table = "const T = { a: 'one', b: 'two' } as const;";
  assert.deepEqual(found(`${table} const m = { template: T.a };`), ['one']);
  assert.deepEqual(found(`${table} const m = { template: T[code] };`), ['one', 'two']);
});

test('parameters are followed to the calls, also into a file that imports the function', () => {
  const a = "export function place(at: number, template: string) { return { template }; } place(1, 'here');";
  const b = "import { place } from './a.ts'; place(2, 'there');";
  const c = "function place(x, y) {} place(3, 'somebody else');";
  assert.deepEqual(found(a, b, c), ['here', 'there']);
  assert.deepEqual(found("const refuse = (template: string) => ({ template }); refuse('no');"), ['no']);
  assert.deepEqual(found("class A { #say(one: string) { return { template: one }; } b() { this.#say('yes'); } }"), [
    'yes',
  ]);
});

test('tables are followed into the file that they are imported from', () => {
  assert.deepEqual(
    found("export const T = { a: 'one' };", "import { T } from './a.ts'; const m = { template: T[k] };"),
    ['one'],
  );
});

test('a function that is handed on is followed into every file that calls it', () => {
  const a = 'const flaw = (at: number, template: string) => ({ template }); read(1, flaw);';
  assert.deepEqual(found(a, "import { M } from './c.ts'; flaw(2, M.one);", "export const M = { one: 'here' };"), [
    'here',
  ]);
});

test('a file with a function of its own by that name is not meant', () => {
  const a = 'const flaw = (at: number, template: string) => ({ template }); read(1, flaw);';
  const b = 'function flaw(one, two) {} flaw(1, somewhere());';
  assert.deepEqual(found(a, b, "parts.flaw(1, 'here');"), ['here']);
});

test('a constant that is taken out of a table of lists is every sentence of it', () => {
  assert.deepEqual(found("const T = { a: ['one', 'two'] }; const [, b] = T[k]; const m = { template: b };"), [
    'one',
    'two',
  ]);
});

test('a sentence that cannot be found is an error that names the place', () => {
  assert.throws(() => found('\nconst m = { template: somewhere() };'), /room\/a\.ts:2: the sentence to translate/);
  assert.throws(() => found('const m = { template: `a ${b}` };'), /cannot be found/);
  assert.throws(() => found('export function f(template: string) { return { template }; }'), /cannot be found/);
});

test('a message that is handed on to the translation was found where it was written', () => {
  assert.deepEqual(found('l10n.t(message.template, ...message.values);'), []);
});
