import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256, startSha256 } from '../../../adapter/hashing.ts';
import type { ReadWork } from '../../../protocol/lifecycle/unit.ts';
import type { IncrementalSha256 } from '../../../protocol/request/hashing.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, call, definition, EPHEMERAL, result, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { CONFIG, checkedSession, checkFile, homeOf, textOf } from './sessionKit.ts';

const MESSAGES = 10_000;
/** What the sealer reads again behind the last kept hash, at most. */
const SPACING = 32_768 + 1_000;

/** 4 MB in 10,000 messages, as an agent that has worked for long would hand them over. */
function longHistory(): JsonObject[] {
  return Array.from({ length: MESSAGES }, (_, index) => {
    const text = `${index} ${'lorem ipsum '.repeat(45)}`;
    switch (index % 4) {
      case 0:
        return user(text);
      case 1:
        return call(`c${index}`);
      case 2:
        return result(`c${index - 1}`, text);
      default:
        return assistant(text);
    }
  });
}

/** A hash that counts the characters that it is fed with. */
function counting(hashed: { characters: number }): () => IncrementalSha256 {
  const wrap = (hash: IncrementalSha256): IncrementalSha256 => ({
    update(piece) {
      hashed.characters += piece.length;
      hash.update(piece);
    },
    copy: () => wrap(hash.copy()),
    digest: () => hash.digest(),
  });
  return () => wrap(startSha256());
}

for (const content of ['full', 'hashes'] as const) {
  test(`DESIGN, Speed: of 10,000 messages handed over as fresh copies only the 2 new ones are parsed, hashed and logged (${content})`, async t => {
    const work: ReadWork = { parsed: 0, hashed: 0, compared: 0 };
    const hashed = { characters: 0 };
    const folder = homeOf(t);
    const options = { folder, sessionId: 's', config: { content, crossCheck: false } };
    const { session } = await checkedSession(t, options, { work, startHash: counting(hashed) });
    session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
    const history = longHistory();
    const fresh = (): JsonObject[] => JSON.parse(JSON.stringify(history)) as JsonObject[];
    const first = await session.buildRequest({ messages: fresh(), config: CONFIG });
    assert.ok(textOf(first).length > 4_000_000);
    assert.ok(hashed.characters >= 4_000_000);

    history.push(user('new'), assistant('answer'));
    const before = { ...work, characters: hashed.characters, seq: session.state.nextSeq };
    const second = await session.buildRequest({ messages: fresh(), config: CONFIG });
    assert.deepEqual(
      { parsed: work.parsed - before.parsed, hashed: work.hashed - before.hashed },
      { parsed: 2, hashed: 2 },
    );
    assert.equal(work.compared - before.compared, MESSAGES, 'and the others were compared, once each');
    assert.ok(hashed.characters - before.characters < 1_000, 'the seal goes on from where the last one ended');
    assert.ok(session.state.nextSeq - before.seq < 12, 'two messages, and the events of a request');
    const shared = second.messages.filter((message, index) => message === first.messages[index]).length;
    assert.equal(shared, first.messages.length, 'all others are the same frozen objects');
    assert.equal(second.hash, sha256(textOf(second)));

    // A tombstone in the middle: only what stands behind it is hashed again.
    history.push(call('last'), result('last', EPHEMERAL));
    const third = await session.buildRequest({ messages: fresh(), config: CONFIG });
    history.push(assistant('done'), user('go on'));
    const middle = { ...work, characters: hashed.characters };
    const fourth = await session.buildRequest({ messages: fresh(), config: CONFIG });
    assert.equal(work.parsed - middle.parsed, 2);
    assert.ok(hashed.characters - middle.characters < SPACING);
    assert.equal(fourth.hash, sha256(textOf(fourth)));
    await session.close();

    const resumed = await checkedSession(t, options, { work, startHash: counting(hashed) });
    resumed.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
    const seq = resumed.session.state.nextSeq;
    const fifth = await resumed.session.buildRequest({ messages: fresh(), config: CONFIG });
    assert.ok(resumed.session.state.nextSeq - seq < 12, 'a resume writes no message again');
    assert.equal(fifth.hash, fourth.hash);
    const file = await resumed.file();
    checkFile(file, [first, second, third, fourth, fifth], content === 'hashes');
    await resumed.session.close();
  });
}
