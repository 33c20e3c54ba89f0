import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Sending } from '../../../../adapter/gateway/gatewayCall.ts';
import { inTime } from '../../../server/deadline.ts';
import { RecordedCall } from '../kit/fakeCalls.ts';
import { type GatewayKit, startKit } from '../kit/gatewayKit.ts';

const REFUSAL = '{"error":{"message":"prompt is too long"}}';

/** An upstream that refuses with these statuses and texts, one after another, and then answers. */
async function refusing(
  t: Parameters<typeof startKit>[0],
  ...refusals: readonly (readonly [status: number, text: string])[]
): Promise<GatewayKit> {
  const left = [...refusals];
  return startKit(t, (_, response) => {
    const [status, text] = left.shift() ?? [200, 'answer'];
    response.writeHead(status, { 'content-type': 'application/json', 'x-status': String(status) }).end(text);
  });
}

async function post(kit: GatewayKit): Promise<readonly [status: number, header: string | null, text: string]> {
  const answer = await fetch(kit.url('/v1/messages'), { method: 'POST', body: 'as it came' });
  return [answer.status, answer.headers.get('x-status'), await answer.text()];
}

/** Each call may be replaced once by one with this body, which in turn could be. */
function replaceWith({ calls }: GatewayKit, body: string | undefined): { readonly asked: () => number } {
  let asked = 0;
  const sending = (bytes?: Uint8Array): Sending => {
    const sent = new RecordedCall();
    calls.sent.push(sent);
    const again = async (): Promise<Sending | undefined> => {
      asked++;
      return body === undefined ? undefined : sending(Buffer.from(body));
    };
    return { kind: 'send', sent, again, ...(bytes && { body: bytes }) };
  };
  calls.prepareWith = () => sending();
  return { asked: () => asked };
}

test('T-27 a request that is refused is sent once more as it was planned anew; the agent sees the second answer only', async t => {
  const kit = await refusing(t, [400, REFUSAL]);
  const { asked } = replaceWith(kit, 'shorter');
  assert.deepEqual(await post(kit), [200, '200', 'answer']);
  assert.deepEqual(
    kit.upstream.requests.map(({ body }) => body.toString()),
    ['as it came', 'shorter'],
  );
  assert.equal(asked(), 1);
  const [first, second] = kit.calls.sent;
  assert.deepEqual(
    [first?.told, second?.told],
    [
      ['left', 'head', 'end'],
      ['left', 'head', 'end'],
    ],
  );
  assert.deepEqual(first?.pieces.map(String), [REFUSAL]);
});

test('T-27 what is sent in its place is sent once: the second refusal is the agent’s', async t => {
  const kit = await refusing(t, [400, REFUSAL], [413, 'again']);
  const { asked } = replaceWith(kit, 'shorter');
  assert.deepEqual(await post(kit), [413, '413', 'again']);
  assert.equal(asked(), 1);
  assert.equal(kit.upstream.requests.length, 2);
});

test('where nothing is sent in its place, the refusal goes on as it came', async t => {
  const kit = await refusing(t, [400, REFUSAL]);
  const { asked } = replaceWith(kit, undefined);
  assert.deepEqual(await post(kit), [400, '400', REFUSAL]);
  assert.equal(asked(), 1);
});

test('other errors, and one that is too long to be about a length, go on as they come', async t => {
  const long = 'x'.repeat(100_000);
  const kit = await refusing(t, [500, REFUSAL], [429, REFUSAL], [400, long]);
  const { asked } = replaceWith(kit, 'shorter');
  assert.deepEqual(await post(kit), [500, '500', REFUSAL]);
  assert.deepEqual(await post(kit), [429, '429', REFUSAL]);
  assert.deepEqual(await post(kit), [400, '400', long]);
  assert.equal(asked(), 0);
});

test('a refusal that is cut is the agent’s, cut', async t => {
  const kit = await startKit(t, (_, response) => {
    response.writeHead(400, { 'content-length': '1000' });
    response.write(REFUSAL, () => response.destroy());
  });
  const { asked } = replaceWith(kit, 'shorter');
  await assert.rejects(post(kit));
  assert.deepEqual([asked(), kit.calls.sent[0]?.ends], [0, ['cut']]);
});

test('an agent that goes away while its request is planned anew is sent nothing more', async t => {
  const kit = await refusing(t, [400, REFUSAL]);
  const agent = new AbortController();
  const next = new RecordedCall();
  kit.calls.prepareWith = ({ signal }) => ({
    kind: 'send',
    sent: new RecordedCall(),
    async again() {
      const gone = once(signal, 'abort');
      agent.abort();
      await inTime(gone, 'the gateway saw that the agent went away');
      return { kind: 'send', sent: next };
    },
  });
  await assert.rejects(fetch(kit.url('/v1/messages'), { method: 'POST', body: 'x', signal: agent.signal }));
  assert.equal(await next.ended(), 'aborted');
  assert.equal(kit.upstream.requests.length, 1);
});
