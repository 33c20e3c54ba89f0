import { LogInUseError, LogWriteError } from '../../../local/logErrors.ts';
import { UnreadableMessageError } from '../../../protocol/lifecycle/messageCopy.ts';
import { BudgetLimitError } from '../../budget/budgetLimitError.ts';
import { apiFor } from '../apis/apiFor.ts';
import type { GatewayApi, Provider } from '../apis/gatewayApi.ts';
import { ParsedBodies } from '../body/parsedBodies.ts';
import type { GatewayCall, GatewayCalls, Prepared, Sending } from '../gatewayCall.ts';
import { identityOf } from './agentIdentity.ts';
import type { GatewaySession } from './gatewaySession.ts';
import type { GatewaySessions } from './gatewaySessions.ts';
import { isLeftAlone } from './leftAlone.ts';
import { receivedBody } from './receivedBody.ts';
import type { Lease } from './sessionPool.ts';

export interface SessionCallsOptions {
  readonly sessions: GatewaySessions;
  /** What becomes of a request that cannot be built: the agent is told, or it goes on as it came. */
  readonly onFailure: OnFailure;
}

type OnFailure = 'refuse' | 'pass';

/** The name under which Claude Code's InstructionsLoaded hook is handed on. */
const INSTRUCTIONS_HOOK = 'claude-instructions';

/** Calls of agents as requests of sessions. */
export class SessionCalls implements GatewayCalls {
  readonly #sessions: GatewaySessions;
  readonly #onFailure: OnFailure;
  readonly #bodies = new ParsedBodies();

  constructor({ sessions, onFailure }: SessionCallsOptions) {
    this.#sessions = sessions;
    this.#onFailure = onFailure;
  }

  wants(method: string, provider: Provider, path: string): boolean {
    return method === 'POST' && apiFor(provider, path) !== undefined;
  }

  prepare(call: GatewayCall): Promise<Prepared> {
    return this.#prepare(call, this.#onFailure);
  }

  async hook(name: string, body: Uint8Array): Promise<string> {
    if (name === INSTRUCTIONS_HOOK) {
      this.#sessions.hooks.take(body);
    }
    return '';
  }

  close(): Promise<void> {
    return this.#sessions.close();
  }

  async #prepare(call: GatewayCall, onFailure: OnFailure): Promise<Prepared> {
    const api = apiFor(call.provider, call.path);
    if (!api) {
      return { kind: 'pass' };
    }
    let lease: Lease<GatewaySession> | undefined;
    try {
      const received = receivedBody(call.body, this.#bodies);
      const split = api.split(received.value);
      const identity = identityOf(call, received.value, api);
      if (isLeftAlone({ identity, api, body: received.value, split, sources: this.#sessions.pathsOf(identity) })) {
        return { kind: 'pass' };
      }
      lease = await this.#sessions.take({ identity, api, split, signal: call.signal });
      const wanted = this.#sessions.wanted(identity);
      const { isPlanned, isTooLong, ...sending } = await lease.item.prepare(
        { call, api, received, split },
        wanted,
        lease.release,
      );
      return isPlanned ? { ...sending, again: async () => (isTooLong() ? this.#again(call) : undefined) } : sending;
    } catch (error) {
      const failed = failedCall({ api, error, session: lease?.item, signal: call.signal, onFailure });
      if (isLogLost(error)) {
        lease?.end('its log was lost');
      }
      lease?.release();
      return failed;
    }
  }

  /** T-27: once, with the limit that was learned; where that too is more than fits, the provider's answer stands. */
  async #again(call: GatewayCall): Promise<Sending | undefined> {
    const prepared = await this.#prepare(call, 'refuse');
    return prepared.kind === 'send' ? prepared : undefined;
  }
}

interface FailedCall {
  readonly api: GatewayApi;
  readonly error: unknown;
  readonly session: GatewaySession | undefined;
  readonly signal: AbortSignal;
  readonly onFailure: OnFailure;
}

/** DESIGN, fail closed or open by setting; never silently. */
function failedCall({ api, error, session, signal, onFailure }: FailedCall): Prepared {
  if (signal.aborted) {
    const sentence = 'The agent went away before its request was sent.';
    return { kind: 'refuse', refusal: api.refusal(sentence), sentence };
  }
  const said = sentenceFor(error);
  const isTooLong = error instanceof BudgetLimitError;
  // Whether what is too long is sent all the same is a setting of its own (`overLimit`).
  if (onFailure === 'pass' && !isTooLong) {
    const notice = `A request was sent on as it came, so no declaration counts in it: ${said}`;
    session?.note('sent-unchanged', notice);
    return { kind: 'pass', notice };
  }
  session?.note('request-refused', said);
  return { kind: 'refuse', refusal: (isTooLong && api.tooLong ? api.tooLong : api.refusal)(said), sentence: said };
}

/** For a person. */
function sentenceFor(error: unknown): string {
  if (error instanceof UnreadableMessageError) {
    // The error's own sentence is for a program that hands over values; a body holds text.
    return `The request was not sent, because ${error.part}${error.path} of its body is ${error.reason}, which a log cannot keep as it came.`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Nothing can be written to it ever again; a full disk may have room later. */
function isLogLost(error: unknown): boolean {
  return error instanceof LogInUseError || (error instanceof LogWriteError && error.code === 'removed');
}
