import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { decompress } from 'fzstd';

/** What a client sent, byte for byte. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** As text, taken out of the encoding in which it came. */
  readonly body: string;
  /** As it came. */
  readonly bytes: Buffer;
  /** Of the bytes as they came, in hex. */
  readonly sha256: string;
}

export function recordedRequest({ method = '', url = '', headers }: IncomingMessage, bytes: Buffer): RecordedRequest {
  return {
    method,
    path: url,
    headers,
    body: decoded(bytes, headers['content-encoding']).toString('utf8'),
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

function decoded(bytes: Buffer, encoding = 'identity'): Buffer {
  switch (encoding) {
    case 'gzip':
      return gunzipSync(bytes);
    case 'zstd':
      return Buffer.from(decompress(bytes));
    default:
      return bytes;
  }
}
