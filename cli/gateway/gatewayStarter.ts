import type { Provider } from '../../adapter/gateway/apis/gatewayApi.ts';

/** What the command line asks of a gateway. */
export interface GatewayOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** In place of a provider's own address; without a slash at the end. */
  readonly upstreams: Readonly<Partial<Record<Provider, string>>>;
  /** Whole paths of context files, in load order. */
  readonly sources: readonly string[];
  readonly onFailure: 'refuse' | 'pass';
  /** Of the agents that it serves. */
  readonly cwd: string;
  /** Is told in a sentence what a person should know. */
  readonly notice: (sentence: string) => void;
}

export interface RunningGateway {
  /** `http://127.0.0.1:PORT/TOKEN` */
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a gateway; rejects where it cannot. Tests give their own. */
export type StartGateway = (options: GatewayOptions) => Promise<RunningGateway>;
