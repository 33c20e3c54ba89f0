import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createApi } from '../src/server.ts';
import { TodoStore } from '../src/store.ts';

const api = createApi(new TodoStore());
let base = '';

before(async () => {
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(api.address() as AddressInfo).port}/todos`;
});

after(() => api.close());

test('a to-do is added, finished and removed', async () => {
  const added = await fetch(base, { method: 'POST', body: JSON.stringify({ title: ' buy milk ' }) });
  assert.equal(added.status, 201);
  assert.deepEqual(await added.json(), { id: 1, title: 'buy milk', done: false });

  const finished = await fetch(`${base}/1`, { method: 'PATCH' });
  assert.deepEqual(await finished.json(), { id: 1, title: 'buy milk', done: true });

  assert.equal((await fetch(`${base}/1`, { method: 'DELETE' })).status, 204);
  assert.deepEqual(await (await fetch(base)).json(), []);
});

test('a title that is missing, empty or too long is refused', async () => {
  for (const body of ['', '{}', '{"title":"  "}', JSON.stringify({ title: 'x'.repeat(201) })]) {
    assert.equal((await fetch(base, { method: 'POST', body })).status, 400);
  }
});

test('an unknown to-do or path is not found', async () => {
  assert.equal((await fetch(`${base}/99`, { method: 'PATCH' })).status, 404);
  assert.equal((await fetch(`${base}/../other`)).status, 404);
});
