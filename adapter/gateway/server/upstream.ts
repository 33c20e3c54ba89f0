import type { Agent as AgentClass, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import { PROVIDERS, type Provider } from '../apis/gatewayApi.ts';
import { type HeaderLines, joinedByName } from './forwardedHeaders.ts';
import { SERVER_OPTIONS } from './serverLimits.ts';

// undici's main file does this; its proxy agent needs it.
UndiciDispatcher.prototype.connect = connect;

/** How undici is set up; where a value is not its own, the reason stands with it. Redirects are followed only by an interceptor that is not here. */
export const UPSTREAM_OPTIONS = {
  // A model may think as long as it likes before and between the pieces of its answer: time-outs are the agent's.
  headersTimeout: 0,
  bodyTimeout: 0,
  // One request at a time: none waits behind an answer, and none is lost with another.
  pipelining: 1,
  maxHeaderSize: SERVER_OPTIONS.maxHeaderSize,
  // Until there is a connection nothing runs; a host that never answers would leave the agent without a word.
  connect: { timeout: 30_000 },
} as const satisfies AgentClass.Options;

export interface UpstreamRequest {
  readonly provider: Provider;
  readonly method: string;
  /** Behind the upstream's own path. */
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderLines;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The model APIs' hosts, each reached directly or by the proxy that the environment names. */
export class Upstreams {
  readonly #bases: ReadonlyMap<Provider, URL>;
  readonly #direct = new Agent(UPSTREAM_OPTIONS);
  readonly #byProxy = proxyOfEnvironment();

  /** Throws where an address cannot be an upstream's. */
  constructor(upstreams: Readonly<Record<Provider, URL>>) {
    for (const provider of PROVIDERS) {
      const { protocol, search, hash, username, password } = upstreams[provider];
      if (!/^https?:$/.test(protocol) || search || hash || username || password) {
        throw new Error(
          `The upstream address for ${provider} cannot be used. Give one that starts with https:// or http:// and has no query and no user name.`,
        );
      }
    }
    this.#bases = new Map(PROVIDERS.map(provider => [provider, upstreams[provider]]));
  }

  /** For sentences: name and port of an upstream. */
  host(provider: Provider): string {
    return this.#base(provider).host;
  }

  /** Tells the handler everything, errors too. */
  dispatch(request: UpstreamRequest, handler: Dispatcher.DispatchHandler): void {
    const base = this.#base(request.provider);
    const proxy = LOOPBACK.test(base.hostname) ? undefined : this.#byProxy;
    (proxy ?? this.#direct).dispatch(
      {
        origin: base.origin,
        // Joined as text: a URL parser would change what the agent wrote.
        path: base.pathname.replace(/\/$/, '') + request.path + request.query,
        method: request.method,
        // undici's proxy agent keeps one line of a name, whose value may be many.
        headers: proxy ? joinedByName(request.headers) : request.headers,
        // undici takes every async iterable, its types name only Node's streams.
        body: request.body as Dispatcher.DispatchOptions['body'] & AsyncIterable<Uint8Array>,
      },
      handler,
    );
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    await Promise.all([this.#direct.destroy(), this.#byProxy?.destroy()]);
  }

  #base(provider: Provider): URL {
    const base = this.#bases.get(provider);
    if (!base) {
      throw new Error(`No upstream is known for ${provider}.`);
    }
    return base;
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Throws where what the environment names is no address. */
function proxyOfEnvironment(): EnvHttpProxyAgent | undefined {
  if (!PROXY_VARIABLES.some(name => process.env[name])) {
    return undefined;
  }
  try {
    return new EnvHttpProxyAgent(UPSTREAM_OPTIONS);
  } catch {
    // The address may hold a password.
    throw new Error(
      'The proxy that the environment names (HTTPS_PROXY, HTTP_PROXY) cannot be used. Give an address such as http://host:port.',
    );
  }
}

const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];
