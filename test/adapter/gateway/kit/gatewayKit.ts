import type { TestContext } from 'node:test';
import { type GatewayServer, startGatewayServer } from '../../../../adapter/gateway/server/gatewayServer.ts';
import { FakeCalls } from './fakeCalls.ts';
import { FakeUpstream, type UpstreamAnswer } from './fakeUpstream.ts';
import { RawAgent } from './rawAgent.ts';

export interface GatewayKit {
  readonly gateway: GatewayServer;
  readonly calls: FakeCalls;
  readonly upstream: FakeUpstream;
  readonly notices: string[];
  readonly faults: unknown[];
  /** The address of a path behind token and provider's word `anthropic`. */
  url(path: string): string;
  raw(): RawAgent;
}

/** A gateway with a fake upstream behind it and a fake inside; all of it ends with the test. */
export async function startKit(t: TestContext, answer: UpstreamAnswer | FakeUpstream): Promise<GatewayKit> {
  const upstream = answer instanceof FakeUpstream ? answer : await FakeUpstream.start(t, answer);
  const calls = new FakeCalls();
  const notices: string[] = [];
  const faults: unknown[] = [];
  const gateway = await startGatewayServer({
    calls,
    upstreams: { anthropic: upstream.url, openai: upstream.url, gemini: upstream.url },
    port: 0,
    onNotice: sentence => notices.push(sentence),
    onFault: error => faults.push(error),
  });
  t.after(() => gateway.close());
  return {
    gateway,
    calls,
    upstream,
    notices,
    faults,
    url: path => `http://127.0.0.1:${gateway.port}/${gateway.token}/anthropic${path}`,
    raw: () => new RawAgent(t, gateway.port),
  };
}
