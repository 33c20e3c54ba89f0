import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerHead, Provider, Refusal } from './apis/gatewayApi.ts';

/** One request of an agent, after it has proved that it knows the token. */
export interface GatewayCall {
  readonly method: string;
  readonly provider: Provider;
  /** Behind the provider's word: `/v1/messages`; without query. */
  readonly path: string;
  /** From the path, where the agent names no session itself; a label. */
  readonly sessionName?: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the body, decoded where it came compressed. */
  readonly body: Uint8Array;
  /** How it came compressed: `gzip`, `zstd` … */
  readonly encoding?: string;
  /** The body's bytes as they came; always, and only, beside `encoding`. */
  readonly encoded?: Uint8Array;
  /** Aborted when the agent goes away. */
  readonly signal: AbortSignal;
}

/** A call that goes on; `body` absent: byte for byte as it came. */
export interface Sending {
  readonly kind: 'send';
  readonly body?: Uint8Array;
  readonly sent: SentCall;
  /**
   * Asked once, where the provider has refused the request and nothing of that was handed on yet: what to send in its place.
   * Gives nothing where the refusal is the answer, and does not reject. Absent where nobody would plan it anew.
   */
  readonly again?: () => Promise<Sending | undefined>;
}

/** What becomes of a call. */
export type Prepared =
  /** None of ours: it goes on as it came. */
  | {
      readonly kind: 'pass' /** Why a call that is ours goes on all the same: for the agent's answer headers and standard error. */;
      readonly notice?: string;
    }
  | Sending
  | { readonly kind: 'refuse'; readonly refusal: Refusal; readonly sentence: string };

/** Is told what became of a call that was sent. Nothing of it throws. */
export interface SentCall {
  /** SHA-256 in hex of the bytes that left, when all of them have. */
  left(sha256: string): void;
  /** The answer's head is there. */
  head(head: AnswerHead): void;
  /** A piece of the answer, before or while it is handed on. */
  piece(bytes: Uint8Array): void;
  /** It is over; `whole` where the end of the answer was seen. The first call counts. */
  end(how: 'whole' | 'cut' | 'aborted' | 'unreachable'): void;
}

/** What stands behind the gateway's door. */
export interface GatewayCalls {
  /** Whether it must see the body of such a request before that goes on; all others are streamed through as they come. */
  wants(method: string, provider: Provider, path: string): boolean;
  prepare(call: GatewayCall): Promise<Prepared>;
  /** A message from a hook of an agent, at `/HOOKTOKEN/_hook/NAME`; gives what the hook prints. */
  hook(name: string, body: Uint8Array): Promise<string>;
  close(): Promise<void>;
}
