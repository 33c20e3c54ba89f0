import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GatewaySessions } from '../../adapter/gateway/session/gatewaySessions.ts';
import { SessionCalls } from '../../adapter/gateway/session/sessionCalls.ts';
import { REAL_TIMERS } from '../../adapter/gateway/session/sessionPool.ts';
import { medians, megabytes, milliseconds, prepared, type Row, times } from './measure.ts';

/** Messages of a body of about a megabyte. */
const MESSAGES_A_MEGABYTE = 2_500;
const NEW = 2;
const ROUNDS = 20;

const ANSWER = Buffer.from(
  JSON.stringify({
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1 },
  }),
);

/**
 * DESIGN (Speed), the gateway: what it does with a request of a long session besides handing bytes on. It reads the body, builds
 * and logs the request with a tombstone in it, composes, hashes and logs what leaves, and takes receipt and answer.
 */
export async function gatewayCall(): Promise<readonly Row[]> {
  return [await rowOf(1), await rowOf(4), await rowOf(16)];
}

async function rowOf(size: number): Promise<Row> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-gateway-'));
  const sessions = new GatewaySessions({
    folder,
    cwd: folder,
    sources: [],
    hasHook: false,
    timers: REAL_TIMERS,
    mostSessions: 4,
    idle: 3_600_000,
    config: { announce: false, countTokens: false },
    tell: () => undefined,
  });
  const calls = new SessionCalls({ sessions, onFailure: 'refuse' });
  try {
    let length = size * MESSAGES_A_MEGABYTE + 1;
    await send(calls, bodyOf(length));
    const next = prepared(
      () => {
        length += NEW;
        return bodyOf(length);
      },
      body => send(calls, body),
    );
    const peer = prepared(
      () => bodyOf(length).toString(),
      text => JSON.stringify(JSON.parse(text)),
    );
    const median = await medians({ next, peer }, ROUNDS);
    const ratio = median.next / median.peer;
    return {
      work: `gateway, a body of ${megabytes(bodyOf(length).length)} with ${NEW} new messages, log and receipt included`,
      ours: milliseconds(median.next),
      peer: `JSON.parse and JSON.stringify ${milliseconds(median.peer)}`,
      ratio: times(ratio),
      bar: '<= 2.5x',
      met: ratio <= 2.5,
    };
  } finally {
    await calls.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function send(calls: SessionCalls, body: Buffer): Promise<void> {
  const made = await calls.prepare({
    method: 'POST',
    provider: 'anthropic',
    path: '/v1/messages',
    headers: { 'x-claude-code-session-id': 'bench', 'content-type': 'application/json' },
    body,
    signal: new AbortController().signal,
  });
  if (made.kind !== 'send' || !made.body) {
    throw new Error(`The bench's request was not changed, but: ${JSON.stringify(made)}`);
  }
  made.sent.left(createHash('sha256').update(made.body).digest('hex'));
  made.sent.head({ status: 200, headers: { 'content-type': 'application/json' } });
  made.sent.piece(ANSWER);
  made.sent.end('whole');
}

/** Texts of the messages so far: making them anew would leave garbage that the measured work is charged for. */
const texts: string[] = [];

/** As Claude Code sends them: each time the whole history. */
function bodyOf(length: number): Buffer {
  while (texts.length < length) {
    texts.push(JSON.stringify(messageAt(texts.length)));
  }
  return Buffer.from(`{"model":"m","max_tokens":32000,"messages":[${texts.slice(0, length).join(',')}],${REST}`);
}

const SYSTEM = [{ type: 'text', text: 'You write code. '.repeat(1_000) }];
const TOOLS = Array.from({ length: 20 }, (_, index) => ({
  name: `tool-${index}`,
  description: 'A tool. '.repeat(100),
  input_schema: { type: 'object' },
}));

const REST = JSON.stringify({ system: SYSTEM, tools: TOOLS, stream: true }).slice(1);

function messageAt(index: number): object {
  if (index === 0) {
    return { role: 'user', content: 'Mend it.' };
  }
  if (index % 2 === 1) {
    const use = {
      type: 'tool_use',
      id: `toolu_${index}`,
      name: 'tool-1',
      input: { path: `src/${index}.ts`, limit: 200 },
    };
    return { role: 'assistant', content: [{ type: 'text', text: `Step ${index}.` }, use] };
  }
  const content = `${index === 2 ? '<!--ephemeral-->\n' : ''}${'const row = await "table".newest(key);\n'.repeat(14)}${index}`;
  return {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `toolu_${index - 1}`, content, is_error: false }],
  };
}
