import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from '../../../../adapter/gateway/server/faultPlace.ts';

function parseErrorOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

test('a fault is told by its kind and place, never by its words: those quote what the agent sent', () => {
  for (const text of ['sk-secret', '"\n    at secret', '{"secret', `{"a": "secret" secret}`]) {
    const said = placeOf(parseErrorOf(text));
    assert.match(said, /^SyntaxError at JSON\.parse .*faultPlace\.test/);
    assert.ok(!said.includes('secret'), said);
  }
  assert.doesNotMatch(placeOf(new Error('\n    at secret\n    at secret')), /secret/);
  assert.doesNotMatch(placeOf('secret'), /secret/);
});
