import assert from 'node:assert/strict';
import type { foldOf } from '../adapter/session/sessionKit.ts';
import type { sentBody } from './sentBody.ts';

/** What a long session is about, and what must hold in it, as config.json says it. */
export const TASK = 'Give the to-do service due dates.';
export const CONSTRAINT = 'Never change the file docs/api.md.';
/** Said in the talk, not in config.json. */
export const SAID = 'You must always write the test first.';

/** seed 3 on a real agent's requests: each was measured, stays within its limit, and holds all that must hold, to the character. */
export function assertKept({ budget }: ReturnType<typeof foldOf>, sent: readonly ReturnType<typeof sentBody>[]): void {
  assert.equal(budget.measures.length, sent.length);
  assert.ok(
    budget.measures.toArray().every(({ total, limits }) => total.tokens <= limits.hard),
    'I4',
  );
  for (const [index, { messages }] of sent.entries()) {
    const text = messages.join('\n');
    assert.ok(text.includes(TASK) && text.includes(CONSTRAINT), `the first tier in request ${index + 1}`);
    assert.ok(text.includes(SAID), `T-09: what the person said, to the character, in request ${index + 1}`);
  }
}
