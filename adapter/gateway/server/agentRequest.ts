import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayCalls, Prepared, Sending, SentCall } from '../gatewayCall.ts';
import { type Again, AnswerStream } from './answerStream.ts';
import { decodeBody } from './decodeBody.ts';
import { headerText, toUpstream } from './forwardedHeaders.ts';
import type { GatewayTarget } from './gatewayPath.ts';
import { LeavingBody } from './leavingBody.ts';
import { answerInWords, answerText } from './ownAnswers.ts';
import { hasBody, piecesOf, readBody } from './requestBody.ts';
import { RequestProblem } from './requestProblem.ts';
import { SERVER_LIMITS } from './serverLimits.ts';
import type { Upstreams } from './upstream.ts';

/** What the answer to a request needs to know of the gateway. */
export interface GatewayHouse {
  readonly calls: GatewayCalls;
  readonly upstreams: Upstreams;
  /** Hears each sentence that the person should see: a request of ours that went on all the same, or was refused. */
  onNotice(sentence: string): void;
  /** Hears of errors that should not be. */
  onFault(error: unknown): void;
}

/** One request that was let in. */
export interface AgentRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: GatewayTarget;
  /** Aborted when the agent goes away. */
  readonly signal: AbortSignal;
}

type CallTarget = Extract<GatewayTarget, { kind: 'call' }>;

interface Leaving {
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Where it is known. */
  readonly length?: number | undefined;
  readonly changed: boolean;
  readonly sent?: SentCall;
  readonly notice?: string | undefined;
  readonly again?: Again;
}

/** Answers it, whatever happens. What fails on the way is answered in words and never sent on. */
export async function answer(agent: AgentRequest, house: GatewayHouse): Promise<void> {
  try {
    await (agent.target.kind === 'hook'
      ? answerHook(agent, agent.target.name, house)
      : answerCall(agent, agent.target, house));
  } catch (error) {
    if (agent.signal.aborted) {
      return;
    }
    if (error instanceof RequestProblem) {
      answerInWords(agent.response, error.status, error.message);
      return;
    }
    house.onFault(error);
    answerInWords(
      agent.response,
      500,
      'The gateway failed at this request and did not send it on. Look at what it printed, and report it.',
    );
  }
}

async function answerHook(agent: AgentRequest, name: string, { calls }: GatewayHouse): Promise<void> {
  if (agent.request.method !== 'POST') {
    throw new RequestProblem(405, 'Messages of hooks are sent with POST.');
  }
  const printed = await calls.hook(name, await readBody(agent.request, SERVER_LIMITS.hookBytes));
  answerText(agent.response, 200, 'text/plain; charset=utf-8', printed);
}

async function answerCall(agent: AgentRequest, target: CallTarget, house: GatewayHouse): Promise<void> {
  const { request, signal } = agent;
  const { provider, path, sessionName } = target;
  const method = request.method ?? '';
  if (!house.calls.wants(method, provider, path)) {
    const length = request.headers['content-length'];
    sendOn(agent, target, house, {
      body: hasBody(request) ? piecesOf(request) : null,
      length: hasBody(request) && length !== undefined ? Number(length) : undefined,
      changed: false,
    });
    return;
  }
  const encoding = request.headers['content-encoding'];
  const received = await readBody(request, SERVER_LIMITS.bodyBytes);
  const body = await decodeBody(received, encoding, SERVER_LIMITS.bodyBytes);
  const prepared = await house.calls.prepare({
    method,
    provider,
    path,
    ...(sessionName === undefined ? {} : { sessionName }),
    headers: request.headers,
    body,
    ...(encoding === undefined ? {} : { encoding, encoded: received }),
    signal,
  });
  if (signal.aborted) {
    if (prepared.kind === 'send') {
      prepared.sent.end('aborted');
    }
    return;
  }
  carryOut(prepared, received, agent, target, house);
}

function carryOut(
  prepared: Prepared,
  received: Buffer,
  agent: AgentRequest,
  target: CallTarget,
  house: GatewayHouse,
): void {
  if (prepared.kind === 'refuse') {
    const { status, contentType, body } = prepared.refusal;
    house.onNotice(prepared.sentence);
    answerText(agent.response, status, contentType, body);
    return;
  }
  if (prepared.kind === 'pass') {
    if (prepared.notice !== undefined) {
      house.onNotice(prepared.notice);
    }
    sendOn(agent, target, house, { ...whole(received), changed: false, notice: prepared.notice });
    return;
  }
  sendCall(prepared, received, agent, target, house);
}

function sendCall(
  { body, sent, again }: Sending,
  received: Buffer,
  agent: AgentRequest,
  target: CallTarget,
  house: GatewayHouse,
): void {
  sendOn(agent, target, house, {
    ...whole(body ?? received, sent),
    changed: body !== undefined,
    sent,
    ...(again && {
      again: {
        next: again,
        // What is sent in its place is the last.
        send(next) {
          const { again: _, ...last } = next;
          sendCall(last, received, agent, target, house);
        },
      },
    }),
  });
}

function whole(bytes: Uint8Array, sent?: SentCall): Pick<Leaving, 'body' | 'length'> {
  // An empty one too is told when it has left.
  return bytes.length === 0 && !sent ? { body: null } : { body: new LeavingBody(bytes, sent), length: bytes.length };
}

function sendOn(agent: AgentRequest, target: CallTarget, house: GatewayHouse, leaving: Leaving): void {
  const { request, response, signal } = agent;
  const { provider, path, query } = target;
  const { body, length, changed, sent, notice, again } = leaving;
  const { upstreams } = house;
  upstreams.dispatch(
    {
      provider,
      method: request.method ?? '',
      path,
      query,
      headers: toUpstream(request.rawHeaders, { length, changed }),
      body,
    },
    new AnswerStream({
      response,
      signal,
      host: upstreams.host(provider),
      sent,
      body: body instanceof LeavingBody ? body : undefined,
      notice: notice === undefined ? undefined : headerText(notice, SERVER_LIMITS.noticeLength),
      tell: sentence => house.onNotice(sentence),
      again,
    }),
  );
}
