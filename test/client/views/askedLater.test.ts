import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AskedLater } from '../../../client/views/askedLater.ts';
import { LateAnswerError } from '../../../local/wire/watcherLink.ts';

/** Lets every promise that can go on go on. */
const settle = () => new Promise(resolve => setImmediate(resolve));

test('it asks once, one question at a time, and tells when an answer has come', async () => {
  const told: number[] = [];
  const later = new AskedLater<string>(() => told.push(asking.length));
  const asking: string[] = [];
  const answers = new Map<string, (value: string) => void>();
  const ask = (key: string) => () => {
    asking.push(key);
    return new Promise<string>(resolve => answers.set(key, resolve));
  };
  assert.equal(later.get('one', 'a', ask('a')), undefined);
  assert.equal(later.get('one', 'a', ask('a')), undefined);
  assert.equal(later.get('one', 'b', ask('b')), undefined);
  assert.deepEqual(asking, ['a']);
  answers.get('a')?.('one');
  await settle();
  assert.deepEqual([asking, told], [['a', 'b'], [1]]);
  answers.get('b')?.('two');
  await settle();
  assert.deepEqual(
    [later.get('one', 'a', ask('a')), later.get('one', 'b', ask('b')), asking.length],
    ['one', 'two', 2],
  );
});

test('a question without an answer is not asked again until somebody else may answer', async () => {
  let asked = 0;
  let told = 0;
  const later = new AskedLater<string>(() => told++);
  const ask = () => {
    asked++;
    return asked === 1 ? Promise.reject(new Error('gone')) : Promise.resolve('here');
  };
  later.get('one', 'a', ask);
  await settle();
  later.get('one', 'a', ask);
  await settle();
  assert.deepEqual([asked, told, later.known('a')], [1, 0, undefined]);
  later.retry();
  later.get('one', 'a', ask);
  await settle();
  assert.deepEqual([asked, told, later.known('a')], [2, 1, 'here']);
});

test('questions that wait are bounded', async () => {
  const later = new AskedLater<number>(() => {});
  let asked = 0;
  for (let number = 0; number < 1_000; number++) {
    later.get('one', String(number), async () => {
      asked++;
      return number;
    });
  }
  await settle();
  assert.equal(asked, 100);
});

test('answers that are kept are bounded; the oldest go first', async () => {
  const later = new AskedLater<number>(() => {});
  for (let number = 0; number < 2_100; number++) {
    later.get('one', String(number), async () => number);
    if (number % 50 === 0) {
      await settle();
    }
  }
  await settle();
  assert.equal(later.known('0'), undefined);
  assert.equal(later.known('2099'), 2_099);
});

test('issue 4: a session that does not answer keeps no other one waiting', async () => {
  const later = new AskedLater<string>(() => {});
  for (let number = 0; number < 200; number++) {
    later.get('stuck', `stuck ${number}`, () => new Promise(() => {}));
  }
  later.get('other', 'a', () => Promise.resolve('here'));
  await settle();
  assert.equal(later.known('a'), 'here');
});

test('issue 4: what was not answered in time is asked again when it is drawn again', async () => {
  const later = new AskedLater<string>(() => {});
  later.get('one', 'a', () => Promise.reject(new LateAnswerError()));
  await settle();
  later.get('one', 'a', () => Promise.resolve('here'));
  await settle();
  assert.equal(later.known('a'), 'here');
});
