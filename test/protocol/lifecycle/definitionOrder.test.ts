import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assistant, definition, discardLine, Run, user } from './lifecycleKit.ts';

test('seed 1: definition order is kept in every request, whatever is loaded, discarded and denied in between', () => {
  const run = new Run();
  run.load('b.md', definition('z') + definition('b'));
  run.load('a.md', definition('a'));
  const history = [user('hi')];
  assert.equal(run.request(...history).blocks, definition('z') + definition('b') + definition('a'));
  run.control(discardLine('b'));
  run.load('page', definition('0'), 'web');
  run.load('c.md', definition('b', 'again') + definition('0'));
  history.push(assistant('yes'), user('go on'));
  assert.equal(run.request(...history).blocks, definition('z') + definition('a') + definition('0'));
});

test('seed 1: definition order is kept over a resume, in whatever order the sources are loaded again', () => {
  const run = new Run();
  run.load('one.md', definition('z') + definition('y'));
  run.load('two.md', definition('a'));
  const resumed = run.resumed();
  resumed.load('two.md', definition('new') + definition('a'));
  resumed.load('one.md', definition('y') + definition('z'));
  assert.equal(
    resumed.request(user('hi')).blocks,
    definition('z') + definition('y') + definition('a') + definition('new'),
  );
});
