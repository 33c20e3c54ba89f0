import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureText } from '../../../client/views/discardFailure.ts';
import { UnansweredError } from '../../../local/wire/watcherLink.ts';
import { wording } from './kit.ts';

test('issue 4: of a discard whose answer was lost it is not said that it was not done', () => {
  assert.equal(
    failureText('a', new UnansweredError('The connection was lost.'), wording),
    'It is not known whether block a was discarded: The connection was lost. The sidebar shows what the session says of it.',
  );
  assert.equal(failureText('a', new Error('It is closed.'), wording), 'Block a was not discarded: It is closed.');
  assert.doesNotMatch(failureText('a', new Error('[a](command:x)\u202e'), wording), /\]\(|\u202e/);
});
