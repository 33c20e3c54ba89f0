import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** One request and its answer, as they passed. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The request's body, byte for byte. */
  readonly sent: Buffer;
  /** 0 until the answer's head is there. */
  status: number;
  /** Names and values as they came. */
  answerHeaders: readonly string[];
  /** The answer's body as far as it came. */
  answer(): Buffer;
}

export interface Hop {
  readonly origin: string;
  /** In the order in which they came. */
  readonly exchanges: readonly Exchange[];
  /** Where they go from now on: to the host of an address. */
  goesTo(address: string): void;
}

interface Passing {
  readonly exchange: Exchange;
  readonly pieces: Buffer[];
  readonly incoming: IncomingMessage;
}

/** A server on loopback that hands everything on and back as it is, and keeps a copy. */
export async function startHop(t: Pick<TestContext, 'after'>, firstTarget = ''): Promise<Hop> {
  let target = firstTarget;
  const exchanges: Exchange[] = [];
  const pass = async (asked: IncomingMessage): Promise<Passing> => {
    const parts: Buffer[] = [];
    for await (const part of asked) {
      parts.push(part as Buffer);
    }
    const { method = '', url = '', headers } = asked;
    const sent = Buffer.concat(parts);
    const pieces: Buffer[] = [];
    const answer = (): Buffer => Buffer.concat(pieces);
    const exchange: Exchange = { method, path: url, headers, sent, status: 0, answerHeaders: [], answer };
    exchanges.push(exchange);
    const onward = request(new URL(url, target), { method, headers: { ...headers, host: new URL(target).host } });
    onward.end(sent);
    const [incoming] = (await once(onward, 'response')) as [IncomingMessage];
    exchange.status = incoming.statusCode ?? 0;
    exchange.answerHeaders = incoming.rawHeaders;
    return { exchange, pieces, incoming };
  };
  const server = createServer((asked, response) => {
    pass(asked).then(
      ({ exchange, pieces, incoming }) => {
        response.writeHead(exchange.status, incoming.rawHeaders);
        response.flushHeaders();
        incoming.on('data', (piece: Buffer) => {
          pieces.push(piece);
          response.write(piece);
        });
        incoming.on('end', () => response.end());
        // it was cut off
        incoming.on('error', () => response.destroy());
      },
      () => response.destroy(),
    );
  });
  // An upgrade that is refused is answered like any other request.
  server.on('upgrade', (asked: IncomingMessage, socket) => {
    socket.on('error', () => socket.destroy());
    pass(asked).then(
      ({ exchange: { status }, incoming }) => {
        incoming.resume();
        socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      },
      () => socket.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const goesTo = (address: string): void => {
    target = address;
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exchanges, goesTo };
}
