import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server on this machine that keeps what it receives and gives the same answer to everybody. */
export async function serverOf(
  t: TestContext,
  answer: { readonly status?: number; readonly body?: string; readonly hold?: true } = {},
): Promise<{ readonly address: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(pieces).toString('utf8') });
      if (!answer.hold) {
        response.writeHead(answer.status ?? 200);
        response.end(answer.body ?? '');
      }
    });
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
