import type { IncomingMessage } from 'node:http';
import { RequestProblem } from './requestProblem.ts';

/** Whether a request has a body, by its head. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || (length !== undefined && Number(length) > 0);
}

/** The whole body as it came. Throws `RequestProblem` where it is longer than `limit`, and what Node throws where the agent went away. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLong = new RequestProblem(
    413,
    `This request is larger than the ${limit / 1_000_000} MB that the gateway takes. Nothing was sent on; make the conversation shorter.`,
  );
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    throw tooLong;
  }
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of piecesOf(request)) {
    length += piece.length;
    if (length > limit) {
      throw tooLong;
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

/** The body in pieces as they come; the next one is read when it is asked for. The connection lives on when a reader stops early. */
export async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer, void> {
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      yield piece as Buffer;
    }
  } finally {
    // What is left is read and dropped, else the answer would be lost with the connection.
    request.resume();
  }
}
