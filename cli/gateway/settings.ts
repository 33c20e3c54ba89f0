import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { PROVIDERS, type Provider } from '../../adapter/gateway/apis/gatewayApi.ts';
import { isSessionName } from '../../local/gatewayAgents.ts';
import { checkUpstream } from '../../local/upstreamAddress.ts';
import type { GatewayConfig } from '../../local/userConfig.ts';

export type Upstreams = Readonly<Partial<Record<Provider, string>>>;

/** Of `gateway` and `gateway run` alike. */
export interface GatewayFlags {
  readonly port: number;
  readonly source?: readonly string[];
  readonly upstream?: Upstreams;
  readonly onFailure?: 'refuse' | 'pass';
  readonly session?: string;
}

export interface GatewaySettings {
  readonly upstreams: Upstreams;
  readonly onFailure: 'refuse' | 'pass';
  /** Tells sessions of agents apart that send nothing by which it could be done. */
  readonly session: string;
}

/** Says in sentences why no gateway starts. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal';
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(sentences.join(' '));
    this.sentences = sentences;
  }
}

/**
 * What flags and config.json say together; a flag wins. Throws `GatewayRefusal` where config.json cannot be used: nobody knows
 * then where the credentials in a request should go.
 */
export function gatewaySettings(
  flags: GatewayFlags,
  config: { readonly gateway: GatewayConfig | undefined; readonly problems: readonly string[] },
): GatewaySettings {
  if (config.gateway === undefined) {
    throw new GatewayRefusal(config.problems);
  }
  return {
    upstreams: { ...config.gateway.upstreams, ...flags.upstream },
    onFailure: flags.onFailure ?? config.gateway.onFailure,
    session: flags.session ?? randomBytes(8).toString('hex'),
  };
}

export function readPort(given: string): number {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(port <= 65_535)) {
    throw new InvalidArgumentError('It is no number of a port.');
  }
  return port;
}

export function readSession(given: string): string {
  if (!isSessionName(given)) {
    throw new InvalidArgumentError(
      'It may have 64 of the characters a-z, A-Z, 0-9, "-" and "_" at most, the first one a letter or a digit.',
    );
  }
  return given;
}

/** For an option that may be given more than once. */
export function readSource(given: string, before: readonly string[] = []): readonly string[] {
  return [...before, given];
}

/** `anthropic=https://…`, for an option that may be given more than once. */
export function readUpstream(given: string, before: Upstreams = {}): Upstreams {
  const at = given.indexOf('=');
  const provider = PROVIDERS.find(name => name === given.slice(0, Math.max(at, 0)));
  if (provider === undefined) {
    throw new InvalidArgumentError(`It must begin with one of ${PROVIDERS.map(name => `${name}=`).join(', ')}.`);
  }
  const checked = checkUpstream(given.slice(at + 1));
  if ('wrong' in checked) {
    throw new InvalidArgumentError(`What stands behind ${provider}= ${checked.wrong}.`);
  }
  return { ...before, [provider]: checked.address };
}
