import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers a request that is not let in: nothing about why, nothing that a web page may read, and the connection ends. */
export function forbid(response: ServerResponse): void {
  response.writeHead(403, { 'content-length': '0', connection: 'close' }).end();
}

/** agents.md trap 1: after any other answer to its WebSocket Codex tries again and again. */
export function refuseUpgrade(response: ServerResponse): void {
  response.writeHead(426, { upgrade: 'HTTP/1.1', connection: 'close', 'content-length': '0' }).end();
}

/** `forbid` where Node has handed over the bare connection. */
export function endConnection(socket: Duplex): void {
  // What goes wrong with a connection that ends is of no interest, but would end the process.
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n', () => socket.destroy());
}

/** Answers with a sentence for a person, in the form that the model APIs give their errors. */
export function answerInWords(response: ServerResponse, status: number, message: string): void {
  const error = { type: 'error', error: { type: 'context_lifecycle_gateway', code: status, message } };
  answerText(response, status, 'application/json', JSON.stringify(error));
}

/** Answers with a whole text. Does nothing where the agent is gone or has the head of another answer. */
export function answerText(response: ServerResponse, status: number, contentType: string, text: string): void {
  if (response.headersSent || response.destroyed) {
    return;
  }
  const body = Buffer.from(text);
  response.writeHead(status, { 'content-type': contentType, 'content-length': String(body.length) }).end(body);
}
