import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** Request headers that ask for an answer in so many events, and for it to begin when so many such answers are asked for. */
export const EVENTS_HEADER = 'x-bench-events';
export const TOGETHER_HEADER = 'x-bench-together';

const ANSWER = JSON.stringify({
  type: 'message',
  role: 'assistant',
  content: [],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1 },
});

/** A model in a thread of its own, which reads a body to its end and answers at once. Tells its port. */
function startModel(): void {
  let waiting: (() => void)[] = [];
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    request.resume();
    request.on('end', () => {
      const { [EVENTS_HEADER]: events, [TOGETHER_HEADER]: together } = request.headers;
      if (events === undefined) {
        response.setHeader('content-type', 'application/json').end(ANSWER);
      } else {
        response.setHeader('content-type', 'text/event-stream').flushHeaders();
        waiting.push(() => speak(response, Number(events), 0));
        if (waiting.length >= Number(together)) {
          setTimeout(beginAll, THINKING, waiting);
          waiting = [];
        }
      }
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

/** Milliseconds before the first event; a real model takes longer. */
const THINKING = 30;

function beginAll(waiting: readonly (() => void)[]): void {
  for (const begin of waiting) {
    begin();
  }
}

/** Each event in a turn of its own, no faster than it is read. The first says when it left. */
function speak(response: ServerResponse, events: number, at: number): void {
  if (at > events) {
    response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n');
    return;
  }
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `word ${at} ` } };
  const [name, data] =
    at === 0 ? ['ping', `{"type":"ping","at":"${process.hrtime.bigint()}"}`] : [delta.type, JSON.stringify(delta)];
  const isTaken = response.write(`event: ${name}\ndata: ${data}\n\n`);
  const next = (): void => speak(response, events, at + 1);
  if (isTaken) {
    setImmediate(next);
  } else {
    response.once('drain', next);
  }
}

if (parentPort) {
  startModel();
}
