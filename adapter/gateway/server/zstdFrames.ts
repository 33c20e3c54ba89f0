/** One frame of zstd data (RFC 8878, 3.1). */
export interface ZstdFrame {
  readonly bytes: Uint8Array;
  /** Length of what it holds, where the frame says so. */
  readonly contentLength?: number;
  /** How far back it may refer: what a reader must keep. */
  readonly windowLength: number;
}

/** Takes data apart without decompressing it; skippable frames are left out. Throws where it ends too early, or is no zstd data. */
export function zstdFrames(bytes: Uint8Array): readonly ZstdFrame[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: ZstdFrame[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    const magic = view.getUint32(at, true);
    at += 4;
    if (magic >>> 4 === SKIPPABLE) {
      at += 4 + view.getUint32(at, true);
    } else if (magic === MAGIC) {
      const head = frameHead(view, at);
      at = endOfBlocks(view, head.end) + (head.checksum ? 4 : 0);
      const { contentLength, windowLength } = head;
      frames.push({
        bytes: bytes.subarray(start, at),
        windowLength,
        ...(contentLength === undefined ? {} : { contentLength }),
      });
    } else {
      throw new RangeError('This is no zstd data.');
    }
    if (at > bytes.length || frames.length > MOST_FRAMES) {
      throw new RangeError('This zstd data ends too early, or has too many frames.');
    }
  }
  return frames;
}

const MAGIC = 0xfd2f_b528;
const SKIPPABLE = 0x184_d2a5;
/** Writers make one; each costs its reader a window. */
const MOST_FRAMES = 100;

interface FrameHead {
  readonly end: number;
  readonly checksum: boolean;
  readonly contentLength?: number;
  readonly windowLength: number;
}

function frameHead(view: DataView, start: number): FrameHead {
  const descriptor = view.getUint8(start);
  const single = (descriptor & 0x20) !== 0;
  let at = start + 1;
  let windowLength = 0;
  if (!single) {
    const window = view.getUint8(at);
    const base = 2 ** (10 + (window >> 3));
    windowLength = base + (base / 8) * (window & 7);
    at += 1;
  }
  at += [0, 1, 2, 4][descriptor & 3] ?? 0;
  const checksum = (descriptor & 4) !== 0;
  switch (descriptor >> 6) {
    case 0:
      return single ? sized(at + 1, checksum, view.getUint8(at), windowLength) : { end: at, checksum, windowLength };
    case 1:
      return sized(at + 2, checksum, view.getUint16(at, true) + 256, windowLength);
    case 2:
      return sized(at + 4, checksum, view.getUint32(at, true), windowLength);
    default:
      return sized(at + 8, checksum, Number(view.getBigUint64(at, true)), windowLength);
  }
}

function sized(end: number, checksum: boolean, contentLength: number, windowLength: number): FrameHead {
  return { end, checksum, contentLength, windowLength: windowLength || contentLength };
}

function endOfBlocks(view: DataView, start: number): number {
  let at = start;
  for (;;) {
    const head = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const repeated = ((head >> 1) & 3) === 1;
    at += 3 + (repeated ? 1 : head >> 3);
    if ((head & 1) === 1) {
      return at;
    }
  }
}
