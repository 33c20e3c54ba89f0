import { bodyOf, MESSAGES_A_MEGABYTE } from './gatewayBodies.ts';
import { type Ask, type GatewayStand, startStand } from './gatewayStand.ts';
import { medians, megabytes, milliseconds, prepared, type Row, times } from './measure.ts';

const NEW = 2;
const ROUNDS = 20;

/**
 * DESIGN (Speed), the gateway: what a request of a long session takes longer through it than straight to the model. It reads the
 * body, builds and logs the request with a tombstone in it, composes, hashes, logs and sends what leaves, and takes receipt and
 * answer.
 */
export async function gatewayCall(): Promise<readonly Row[]> {
  const stand = await startStand();
  try {
    return [await rowOf(stand, 1), await rowOf(stand, 4), await rowOf(stand, 16)];
  } finally {
    await stand.close();
  }
}

async function rowOf({ through, straight }: GatewayStand, size: number): Promise<Row> {
  const session = `of-${size}-megabytes`;
  let length = size * MESSAGES_A_MEGABYTE + 1;
  const send = (ask: Ask) => async (body: Buffer) => {
    for await (const _ of await ask({ session, body })) {
      // Read to its end.
    }
  };
  await send(through)(bodyOf(length));
  const more = (): Buffer => {
    length += NEW;
    return bodyOf(length);
  };
  const median = await medians(
    {
      through: prepared(more, send(through)),
      straight: prepared(() => bodyOf(length), send(straight)),
      peer: prepared(
        () => bodyOf(length).toString(),
        text => JSON.stringify(JSON.parse(text)),
      ),
    },
    ROUNDS,
  );
  const added = median.through - median.straight;
  const ratio = added / median.peer;
  return {
    work: `gateway over HTTP, ${megabytes(bodyOf(length).length)} with ${NEW} new messages: time added, log and receipt included`,
    ours: `${milliseconds(added)}, straight ${milliseconds(median.straight)}`,
    peer: `JSON.parse and JSON.stringify ${milliseconds(median.peer)}`,
    ratio: times(ratio),
    bar: '<= 2.5x',
    met: ratio <= 2.5,
  };
}
