import { checkUpstream } from '../../local/upstreamAddress.ts';
import type { SessionOptions } from '../sessionTypes.ts';
import type { Provider } from './apis/gatewayApi.ts';
import { placeOf } from './server/faultPlace.ts';
import { startGatewayServer } from './server/gatewayServer.ts';
import { GatewaySessions } from './session/gatewaySessions.ts';
import { SessionCalls } from './session/sessionCalls.ts';
import { REAL_TIMERS, type Timers } from './session/sessionPool.ts';

export interface GatewayOptions extends Pick<SessionOptions, 'folder' | 'now' | 'config' | 'counter' | 'policy'> {
  /** To listen on; 0: any that is free. */
  readonly port: number;
  /** In place of a provider's own address; without a slash at the end. */
  readonly upstreams?: Readonly<Partial<Record<Provider, string>>>;
  /** Context files that count in every session, in load order; relative ones to `cwd`. */
  readonly sources?: readonly string[];
  /** What becomes of a request that cannot be built. Default: the agent gets an error that says why. */
  readonly onFailure?: 'refuse' | 'pass';
  /** Of the agents that it serves; default: the folder of this process. */
  readonly cwd?: string;
  /** Is told in a sentence what a person should know. */
  readonly notice?: (sentence: string) => void;
  /** Agents are started with the instructions hook, so that their first requests wait for it. */
  readonly hasHook?: boolean;
  /** At least 128 bits in hex; default: a new one. */
  readonly token?: string;
  /** Tests give their own. */
  readonly timers?: Timers;
  /** Sessions that are open at the same time. Default: 64. */
  readonly mostSessions?: number;
  /** Milliseconds after which an unused session is closed. Default: an hour. */
  readonly idle?: number;
}

export interface RunningGateway {
  /** `http://127.0.0.1:PORT/TOKEN` */
  readonly address: string;
  /** `http://127.0.0.1:PORT/HOOKTOKEN`: hooks of agents say there which files are instructions. */
  readonly hookAddress: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Where requests go that no person sent elsewhere. */
const UPSTREAMS: Readonly<Record<Provider, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  gemini: 'https://generativelanguage.googleapis.com',
};

const MOST_SESSIONS = 64;
const IDLE = 3_600_000;

/** Starts a gateway on this machine. Rejects, with a sentence, where the port or an upstream cannot be used. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { port, token, onFailure = 'refuse', cwd = process.cwd(), timers = REAL_TIMERS } = options;
  const { sources = [], hasHook = false, mostSessions = MOST_SESSIONS, idle = IDLE } = options;
  const notice = options.notice ?? warn;
  const upstreams = upstreamUrls({ ...UPSTREAMS, ...options.upstreams });
  const sessions = new GatewaySessions({ ...options, sources, cwd, hasHook, timers, mostSessions, idle, tell: notice });
  const calls = new SessionCalls({ sessions, onFailure });
  const server = await startGatewayServer({
    calls,
    port,
    upstreams,
    ...(token !== undefined && { token }),
    onNotice: notice,
    onFault: error => notice(`Please report this: ${placeOf(error)}`),
  });
  return {
    address: `http://127.0.0.1:${server.port}/${server.token}`,
    hookAddress: `http://127.0.0.1:${server.port}/${server.hookToken}`,
    port: server.port,
    async close() {
      await server.close();
      await calls.close();
    },
  };
}

/** Throws, with a sentence, for an address that cannot be an upstream's. */
function upstreamUrls(addresses: Readonly<Record<Provider, string>>): Readonly<Record<Provider, URL>> {
  const url = (provider: Provider): URL => {
    const checked = checkUpstream(addresses[provider]);
    if ('wrong' in checked) {
      throw new Error(`The upstream address for ${provider} ${checked.wrong}.`);
    }
    return new URL(checked.address);
  };
  return { anthropic: url('anthropic'), openai: url('openai'), gemini: url('gemini') };
}

function warn(sentence: string): void {
  process.emitWarning(sentence, 'ContextLifecycle');
}
