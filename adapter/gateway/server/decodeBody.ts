import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { Decompress, decompress } from 'fzstd';
import { RequestProblem } from './requestProblem.ts';
import { zstdFrames } from './zstdFrames.ts';

/**
 * A body without the compression that its `content-encoding` names. Throws `RequestProblem` where that is unknown, where the body is
 * not what it says, and where what comes out is longer than `limit`: then no more than that was made.
 */
export async function decodeBody(body: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  const names = (encoding ?? '')
    .split(',')
    .map(name => name.trim().toLowerCase())
    .filter(name => name !== '' && name !== 'identity');
  const decoders = names.map(name => DECODERS.get(name));
  if (names.length > MOST_ENCODINGS || decoders.includes(undefined)) {
    throw new RequestProblem(
      415,
      'The gateway cannot read the compression of this request. It knows gzip, deflate, br and zstd; let the agent send one of these, or none.',
    );
  }
  let decoded = body;
  for (const decoder of decoders.reverse()) {
    decoded = await decodeOnce(decoded, decoder ?? asItIs, limit);
  }
  return decoded;
}

type Decoder = (body: Buffer, limit: number) => Promise<Buffer>;

const MOST_ENCODINGS = 2;

class TooLongError extends Error {}

async function decodeOnce(body: Buffer, decoder: Decoder, limit: number): Promise<Buffer> {
  try {
    return await decoder(body, limit);
  } catch (error) {
    if (
      error instanceof TooLongError ||
      (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
    ) {
      throw new RequestProblem(
        413,
        `This request is, decompressed, larger than the ${limit / 1_000_000} MB that the gateway takes. Nothing was sent on; make the conversation shorter.`,
      );
    }
    throw new RequestProblem(
      400,
      'This request could not be decompressed: its body is not what its content-encoding says. Nothing was sent on.',
    );
  }
}

const asItIs: Decoder = async body => body;

const gunzipped = promisify(gunzip);
const inflated = promisify(inflate);
const inflatedRaw = promisify(inflateRaw);
const unbrotlied = promisify(brotliDecompress);

const gzip: Decoder = (body, limit) => gunzipped(body, { maxOutputLength: limit });

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  // Some senders leave out the frame that the name stands for.
  ['deflate', (body, limit) => (hasZlibHead(body) ? inflated : inflatedRaw)(body, { maxOutputLength: limit })],
  ['br', (body, limit) => unbrotlied(body, { maxOutputLength: limit })],
  ['zstd', async (body, limit) => unzstd(body, limit)],
]);

function hasZlibHead(body: Buffer): boolean {
  return body.length > 1 && (body.readUInt8(0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
}

/** Readers are asked for no more (RFC 8878, 3.1.1.1.2); the window is moved with each block. */
const ZSTD_WINDOW = 8 * 1_024 * 1_024;

/** By a library in JavaScript: Node 20 has no zstd. */
function unzstd(body: Buffer, limit: number): Buffer {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > limit) {
      throw new TooLongError();
    }
    pieces.push(piece);
  };
  for (const frame of zstdFrames(body)) {
    if (frame.contentLength !== undefined) {
      if (length + frame.contentLength > limit) {
        throw new TooLongError();
      }
      take(decompress(frame.bytes, new Uint8Array(frame.contentLength)));
    } else if (frame.windowLength > ZSTD_WINDOW) {
      throw new RangeError('The window of this zstd data is too large.');
    } else {
      new Decompress(take).push(frame.bytes, true);
    }
  }
  return Buffer.concat(pieces, length);
}
