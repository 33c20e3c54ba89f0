import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { startGateway } from '../../adapter/gateway/startGateway.ts';
import { EVENTS_HEADER, TOGETHER_HEADER } from './modelStand.ts';

export interface Asking {
  readonly session: string;
  readonly body: Buffer;
  /** Of the answer; absent for a whole one. */
  readonly events?: number;
  /** Of such answers, which begin at the same time. Default: 1. */
  readonly together?: number;
}

/** A place to send requests to; gives the answer when its head is there. */
export type Ask = (asking: Asking) => Promise<IncomingMessage>;

export interface GatewayStand {
  /** Through the gateway, to the model itself, and through a proxy that only pipes. */
  readonly through: Ask;
  readonly straight: Ask;
  readonly piped: Ask;
  close(): Promise<void>;
}

/** A gateway in this thread, in front of a model in another one; all on loopback. */
export async function startStand(): Promise<GatewayStand> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-gateway-'));
  const model = new Worker(path.join(import.meta.dirname, 'modelStand.ts'));
  const [port] = (await once(model, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const gateway = await startGateway({
    port: 0,
    upstreams: { anthropic: origin },
    folder,
    cwd: folder,
    config: { announce: false, countTokens: false },
  });
  const agent = new Agent({ keepAlive: true });
  const proxy = createServer((asked, answer) => {
    const { method, url: place, headers } = asked;
    const onward = request(`${origin}${place}`, { method, headers, agent }, answered => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    asked.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const to =
    (base: string): Ask =>
    asking =>
      ask(`${base}/v1/messages`, asking, agent);
  return {
    through: to(`${gateway.address}/anthropic`),
    straight: to(origin),
    piped: to(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`),
    async close() {
      agent.destroy();
      proxy.close();
      await gateway.close();
      await model.terminate();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ask(
  url: string,
  { session, body, events, together = 1 }: Asking,
  agent: Agent,
): Promise<IncomingMessage> {
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-claude-code-session-id': session,
      ...(events !== undefined && { [EVENTS_HEADER]: events, [TOGETHER_HEADER]: together }),
    },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) {
    answer.resume();
    throw new Error(`The bench's request was answered ${answer.statusCode}.`);
  }
  return answer;
}
