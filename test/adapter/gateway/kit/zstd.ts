import { once } from 'node:events';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** What the Node that runs the tests has, and Node 20, whose types the product is checked with, does not. */
const zstd = zlib as unknown as {
  zstdCompressSync(data: string | Buffer, options?: { readonly params: Readonly<Record<number, number>> }): Buffer;
  createZstdCompress(): Transform;
  readonly constants: { readonly ZSTD_c_checksumFlag: number; readonly ZSTD_c_compressionLevel: number };
};

/** One frame, which says how long its content is. */
export function zstdCompressSync(data: string | Buffer): Buffer {
  return zstd.zstdCompressSync(data);
}

/** With a checksum, and the tables of a high level. */
export function zstdThorough(data: string): Buffer {
  const { ZSTD_c_checksumFlag, ZSTD_c_compressionLevel } = zstd.constants;
  return zstd.zstdCompressSync(data, { params: { [ZSTD_c_checksumFlag]: 1, [ZSTD_c_compressionLevel]: 19 } });
}

/** As writers of streams do it: the frame does not say how long its content is. */
export async function zstdStreamed(text: string): Promise<Buffer> {
  const stream = zstd.createZstdCompress();
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = once(stream, 'end');
  for (let at = 0; at < text.length; at += 50_000) {
    await new Promise<void>(resolve => stream.write(text.slice(at, at + 50_000), () => resolve()));
  }
  stream.end();
  await ended;
  return Buffer.concat(pieces);
}
