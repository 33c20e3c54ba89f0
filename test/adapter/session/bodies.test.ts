import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { composeBody } from '../../../adapter/gateway/body/composeBody.ts';
import type { Sealed } from '../../../adapter/sessionTypes.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { assistant, sha256, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { type Checked, checkedSession, homeOf } from './sessionKit.ts';

function historyOf(events: readonly LogEvent[]): RequestHistory {
  const history = new RequestHistory();
  events.forEach(event => history.append(event));
  return history;
}

/** A body as a host writes it, and the record of what leaves in its place. */
function bodyOf(
  messages: readonly JsonObject[],
  sealed: Sealed,
  write = JSON.stringify,
): ReturnType<typeof composeBody> {
  const text = `{"model":"m","messages":[${messages.map(message => write(message)).join(',')}],"n":1.0}`;
  const items = sealed.messages.map((value, place) => {
    const received = sealed.hosts[place];
    const same = sealed.origins[place] !== undefined;
    return { value, same, sealed: place, ...(received !== undefined && { received }) };
  });
  return composeBody({ text, value: JSON.parse(text) as JsonObject }, { list: 'messages', items, members: new Map() });
}

async function send(checked: Checked, messages: readonly JsonObject[], write = JSON.stringify): Promise<string> {
  const sealed = await checked.turn(messages);
  const { text, pieces } = bodyOf(messages, sealed, write);
  const { requestSequence } = sealed;
  checked.session.logBody(requestSequence, { text, pieces, bytes: Buffer.byteLength(text), sha256: sha256(text) });
  checked.session.receipt(requestSequence, sha256(text));
  return text;
}

const conversation = (turns: number): readonly JsonObject[] =>
  Array.from({ length: turns }, (_, turn) => [user(`question ${turn}`), assistant(`answer é ${turn}`)]).flat();

test('the log gives each body back byte for byte, also after a resume, and receipts are compared with it', async t => {
  const folder = homeOf(t);
  const sent: string[] = [];
  let hash = '';
  for (const instance of [0, 1]) {
    const checked = await checkedSession(t, { folder, sessionId: 's' });
    for (let turns = 1; turns < 5; turns++) {
      sent.push(await send(checked, [...conversation(turns + instance * 4), user('now')]));
    }
    hash = sha256(sent.at(-1) ?? '');
    assert.deepEqual(checked.session.state.requests.get(sent.length - 1)?.body, {
      bytes: Buffer.byteLength(sent.at(-1) ?? ''),
      sha256: hash,
    });
    const { events } = await checked.close();
    const history = historyOf(events);
    assert.deepEqual(
      sent.map((_, index) => history.bodyText(index + 1)),
      sent,
    );
    const results = checked.session.state.requests.toArray().map(({ receipt }) => receipt?.result);
    assert.ok(results.every(result => result === 'matched'));
  }
});

test('a body that another writer packed is in the log once for each new message', async t => {
  const checked = await checkedSession(t);
  const spaced = (message: JsonObject): string => JSON.stringify(message, null, 1);
  const sent: string[] = [];
  for (let turns = 1; turns <= 20; turns++) {
    sent.push(await send(checked, [...conversation(turns), user('now')], spaced as typeof JSON.stringify));
  }
  const bodies = await checked.logged('request/body');
  assert.ok(bodies.slice(1).every(({ pieces }) => pieces && pieces.insert.length <= 5));
  const { events } = await checked.close();
  const history = historyOf(events);
  assert.deepEqual(
    sent.map((_, index) => history.bodyText(index + 1)),
    sent,
  );
});

test('a tombstone leaves the record of the messages around it as it was', async t => {
  const checked = await checkedSession(t);
  const ephemeral = user('<!--ephemeral-->\nSECRET');
  const first = [user('a'), ephemeral];
  await send(checked, first);
  const text = await send(checked, [...first, assistant('b'), user('c')]);
  assert.match(text, /EPHEMERAL/);
  assert.doesNotMatch(text, /SECRET/);
  const [, second] = await checked.logged('request/body');
  assert.deepEqual(second?.pieces, { keepStart: 1, keepEnd: 1, insert: [{ messages: [0, 4] }] });
  const { events } = await checked.close();
  assert.equal(historyOf(events).bodyText(2), text);
});

test('a body that left compressed has the hash of its bytes, and the log gives what was compressed', async t => {
  const checked = await checkedSession(t);
  const sealed = await checked.turn([user('a')]);
  const { text, pieces } = bodyOf([user('a')], sealed);
  const bytes = gzipSync(text);
  const hash = sha256(bytes as unknown as string);
  checked.session.logBody(1, { text, pieces, bytes: bytes.length, sha256: hash, encoding: 'gzip' });
  checked.session.receipt(1, hash);
  assert.equal(checked.session.state.requests.get(0)?.receipt?.result, 'matched');
  const [body] = await checked.logged('request/body');
  assert.deepEqual(body?.decoded, { bytes: Buffer.byteLength(text), sha256: sha256(text) });
  const { events } = await checked.close();
  assert.equal(historyOf(events).bodyText(1), text);
});

test('a log of hashes has the hash of each body, and nothing of its text', async t => {
  const checked = await checkedSession(t, { config: { content: 'hashes' } });
  const text = await send(checked, [user('something private')]);
  assert.deepEqual(await checked.logged('request/body'), [
    { requestSequence: 1, bytes: Buffer.byteLength(text), sha256: sha256(text) },
  ]);
  assert.doesNotMatch(readFileSync(checked.session.logFile, 'utf8'), /private/);
  await checked.close();
});

test('the body is in the file before a gateway can send it, and older readers may pass over it', async t => {
  const checked = await checkedSession(t);
  const sealed = await checked.turn([user('a')]);
  const { text, pieces } = bodyOf([user('a')], sealed);
  checked.session.logBody(1, { text, pieces, bytes: Buffer.byteLength(text), sha256: sha256(text) });
  const last = readFileSync(checked.session.logFile, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  assert.equal((JSON.parse(last) as LogEvent).type, 'request/body');
  assert.equal((JSON.parse(last) as LogEvent).ignorable, true);
  await checked.close();
});

test('a body of a request that was not sealed, or that has one, is refused and not logged', async t => {
  const checked = await checkedSession(t);
  await send(checked, [user('a')]);
  const { nextSeq } = checked.session.state;
  const body = { text: '{}', pieces: ['{}'], bytes: 2, sha256: sha256('{}') };
  for (const requestSequence of [0, 1, 2, Number.NaN]) {
    assert.throws(() => checked.session.logBody(requestSequence, body), {
      name: 'RangeError',
      message: `There is no request ${requestSequence} in this session that waits for its body.`,
    });
  }
  assert.equal(checked.session.state.nextSeq, nextSeq);
  await checked.close();
});
