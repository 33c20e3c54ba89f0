import assert from 'node:assert/strict';
import { type GatewayKit, startKit } from './gatewayKit.ts';

/** What a request that is let in would get. */
export const SECRET = 'what only the upstream says';

export function guarded(t: Parameters<typeof startKit>[0]): Promise<GatewayKit> {
  return startKit(t, (_, response) => void response.end(SECRET));
}

/** Sends a head alone, of a request whose body never comes, and asserts that it is refused and the connection closed all the same. */
export async function assertForbidden(
  kit: GatewayKit,
  text: string,
  status = /^HTTP\/1\.1 (?:403 Forbidden|400 Bad Request)\r\n/,
): Promise<void> {
  const agent = kit.raw();
  agent.socket.write(text, 'latin1');
  const answer = await agent.whole();
  assert.match(answer, status, text);
  assert.doesNotMatch(answer, /access-control|100 continue/i);
  assert.ok(!answer.includes(kit.gateway.token));
  const [, body] = answer.split('\r\n\r\n');
  assert.match(body ?? '', /^(?:0\r?\n?)*$/, 'the answer says nothing; Node ends an empty one with a chunk of 0');
  assert.equal(kit.upstream.requests.length, 0, text);
  assert.equal(kit.calls.seen.length, 0);
}

export const BODY_TO_COME = 'Content-Length: 50000000';
