import { createHash } from 'node:crypto';
import { compactedBody } from './gatewayBodies.ts';
import { type Ask, startStand } from './gatewayStand.ts';
import { median, milliseconds, type Row, times, whole } from './measure.ts';

const FIRST_BYTES = 100;
const STREAMS = 200;
const EVENTS = 200;
const ROUNDS = 3;

/** DESIGN (Speed), the gateway: how much later a streamed answer is there, and many answers at the same time. */
export async function gatewayStreams(): Promise<readonly Row[]> {
  const stand = await startStand();
  try {
    return [await firstByte(stand), await manyStreams(stand)];
  } finally {
    await stand.close();
  }
}

/** From the model's first event to the agent's: beside a proxy that only pipes, as every proxy takes a little. */
async function firstByte(asks: Readonly<Record<'through' | 'straight' | 'piped', Ask>>): Promise<Row> {
  const taken = { through: [] as number[], straight: [] as number[], piped: [] as number[] };
  for (let round = 1; round <= FIRST_BYTES; round++) {
    for (const way of ['through', 'straight', 'piped'] as const) {
      taken[way].push(await delayOfFirst(asks[way], compactedBody(round, 20)));
    }
  }
  const [ours, bare, straight] = [median(taken.through), median(taken.piped), median(taken.straight)];
  return {
    work: "gateway, a streamed answer: from the model's first event to the agent's",
    ours: milliseconds(ours),
    peer: `a proxy that only pipes ${milliseconds(bare)}, straight ${milliseconds(straight)}`,
    ratio: times(ours / bare),
    bar: '<= 2x',
    met: ours / bare <= 2,
  };
}

async function delayOfFirst(ask: Ask, body: Buffer): Promise<number> {
  let delay: number | undefined;
  for await (const piece of await ask({ session: 'first-byte', body, events: 3 })) {
    delay ??= Number(process.hrtime.bigint() - BigInt(/"at":"(\d+)"/.exec(String(piece))?.[1] ?? 0)) / 1e6;
  }
  return delay ?? Number.NaN;
}

async function manyStreams({ through, straight }: Readonly<Record<'through' | 'straight', Ask>>): Promise<Row> {
  const taken = { through: [] as number[], straight: [] as number[] };
  const hashes = new Set<string>();
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [way, ask] of Object.entries({ through, straight }) as ['through' | 'straight', Ask][]) {
      const streams = await Promise.all(Array.from({ length: STREAMS }, (_, index) => streamOf(ask, index, round)));
      streams.forEach(({ hash }) => hashes.add(hash));
      taken[way].push(Math.max(...streams.map(({ end }) => end)) - Math.min(...streams.map(({ begin }) => begin)));
    }
  }
  if (hashes.size !== 1) {
    throw new Error('A stream of the bench was not the one that the model sent.');
  }
  const rate = (way: readonly number[]): number => (STREAMS * EVENTS * 1_000) / median(way);
  return {
    work: `gateway, ${STREAMS} streams of ${EVENTS} events at the same time, a session each, all whole and equal`,
    ours: `${whole(rate(taken.through))} events/s`,
    peer: `straight ${whole(rate(taken.straight))} events/s`,
    ratio: times(rate(taken.through) / rate(taken.straight)),
    bar: 'printed',
  };
}

/** When its first event was there and when its end was; and the hash of all behind the first event, which says when it left. */
async function streamOf(ask: Ask, index: number, round: number) {
  const pieces: Buffer[] = [];
  let begin: number | undefined;
  const asking = { session: `stream-${index}`, body: compactedBody(round, 20), events: EVENTS, together: STREAMS };
  for await (const piece of await ask(asking)) {
    begin ??= performance.now();
    pieces.push(piece as Buffer);
  }
  const text = Buffer.concat(pieces);
  const hash = createHash('sha256')
    .update(text.subarray(text.indexOf('\n\n')))
    .digest('hex');
  return { begin: begin ?? Number.NaN, end: performance.now(), hash };
}
