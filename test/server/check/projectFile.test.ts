import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { parseProjectFile } from '../../../server/check/projectFile.ts';
import { combineRules, DEFAULT_RULES, severityOf } from '../../../server/check/rules.ts';

function problemsOf(content: unknown): readonly string[] {
  return parseProjectFile(JSON.stringify(content)).problems.map(renderMessage);
}

test('a file full of mistakes is answered in a few short sentences', () => {
  const keys = Array.from({ length: 50_000 }, (_, index) => [`key-${index}`, 1]);
  const file = { ...Object.fromEntries(keys), ['x'.repeat(100_000)]: 1, exclude: ['y'.repeat(100_000)] };
  const { problems } = parseProjectFile(JSON.stringify(file));
  assert.equal(problems.length, 21);
  assert.equal(problems.map(renderMessage).at(-1), 'The file has 49982 more mistakes.');
  const long = parseProjectFile(JSON.stringify({ ['x'.repeat(100_000)]: 1, exclude: ['y'.repeat(100_000)] }));
  assert.deepEqual(
    long.problems.map(problem => renderMessage(problem).length < 1000),
    [true, true],
  );
});

test('sources, exclude and severities are read', () => {
  const content = { sources: ['a.md'], exclude: ['b/**'], severities: { 'unknown-block': 'off', 'utf-16': 'error' } };
  assert.deepEqual(parseProjectFile(JSON.stringify(content)), { rules: content, problems: [] });
});

test('every other key is refused by name, and the rest counts', () => {
  for (const key of [
    'url',
    'command',
    'policy',
    'log',
    'budget',
    'gateway',
    'upstreams',
    'Sources',
    '$schema',
    '__proto__',
  ]) {
    const { rules, problems } = parseProjectFile(`{${JSON.stringify(key)}: "x", "exclude": ["a"]}`);
    assert.deepEqual(rules, { exclude: ['a'] });
    assert.equal(problems.length, 1);
    assert.ok(renderMessage(problems[0]!).startsWith(`'${key}' may not be set here: `));
  }
});

test('wrong types are named with their place', () => {
  assert.deepEqual(problemsOf({ sources: 'a' }), ["'sources' must be a list of globs."]);
  assert.deepEqual(problemsOf({ exclude: ['a', 1] }), ["'exclude[1]' must be a string."]);
  assert.match(problemsOf({ sources: ['../x'] })[0] ?? '', /^sources\[0\]: The glob '\.\.\/x' must be relative/);
  assert.deepEqual(problemsOf({ severities: [] }), ["'severities' must be an object of codes and severities."]);
  assert.match(problemsOf({ severities: { nonsense: 'off' } })[0] ?? '', /^'severities\.nonsense' names no code/);
  assert.deepEqual(problemsOf({ severities: { 'utf-16': 'loud' } }), [
    "'severities.utf-16' must be one of error, warning, note, off.",
  ]);
  assert.deepEqual(problemsOf([]), ['The file must hold one JSON object.']);
  assert.match(parseProjectFile('{').problems.map(renderMessage)[0] ?? '', /^The file is not valid JSON: /);
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), text => {
      assert.ok(Array.isArray(parseProjectFile(text).problems));
    }),
  );
});

test('precedence: the editor setting wins over the project file, the project file over the defaults', () => {
  const project = { sources: ['p.md'], severities: { 'unknown-block': 'off', 'malformed-tag': 'note' } } as const;
  const editor = { exclude: ['e/**'], severities: { 'malformed-tag': 'error' } } as const;
  const rules = combineRules(project, editor);
  assert.deepEqual(rules.sources, ['p.md']);
  assert.deepEqual(rules.exclude, ['e/**']);
  assert.equal(severityOf('unknown-block', rules), 'off');
  assert.equal(severityOf('malformed-tag', rules), 'error');
  assert.equal(severityOf('nested-block', rules), 'error');
  assert.equal(severityOf('lone-cr', rules), 'note');
  assert.deepEqual(combineRules(), DEFAULT_RULES);
});
