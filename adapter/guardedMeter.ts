import { type Amount, amount as amountShape, price as priceShape } from '../protocol/log/amounts.ts';
import { sizes as sizesShape } from '../protocol/log/sessionEvents.ts';
import type { Json } from '../protocol/request/json.ts';
import type { Shape } from '../protocol/shape.ts';
import type { PartCounts, RequestMeter } from './requestMeter.ts';
import { estimatedTokens } from './tokens/estimate.ts';

/** No value takes more tokens, and a million such numbers still add up to one that is whole. */
const MOST_TOKENS = 1_000_000_000;

/** Milliseconds for which a request waits for a program's counter; that of this product waits less by itself. */
const PATIENCE = 30_000;

const LATE =
  'Tokens are estimated where they are not counted yet: what counts them takes too long, so no request waits for it any more.';

const BROKEN = 'Tokens are not counted any more, because what counts them has failed';

/**
 * A meter whose faults cost its numbers and nothing else: a request is not held up, and not refused, because somebody's token
 * counter throws, gives what is no number, or does not answer within so many milliseconds.
 */
export function guardedMeter(meter: RequestMeter, patience = PATIENCE): RequestMeter {
  let problem: string | undefined;
  const failed = (why: string): undefined => {
    problem ??= `${BROKEN}: ${why}.`;
    return undefined;
  };
  const guarded = <Result>(work: () => Result): Result | undefined => {
    try {
      return work();
    } catch (error) {
      return failed(sentenceOf(error));
    }
  };
  const sound = <Value>(value: Value | undefined, shape: Shape<Value>, name: string): Value | undefined => {
    const fault = value === undefined ? undefined : shape.fault(value, name);
    return fault === undefined ? value : failed(fault);
  };
  const prepare = async (...of: Parameters<RequestMeter['prepare']>): Promise<void> => {
    try {
      await meter.prepare(...of);
    } catch (error) {
      failed(sentenceOf(error));
    }
  };
  let said = false;
  let isLate = false;
  return {
    async prepare(input, before) {
      const prepared = prepare(input, before);
      if (!isLate && (await isLaterThan(patience, prepared))) {
        isLate = true;
        problem ??= LATE;
      }
    },
    counts: surroundings => guarded(() => guardedCounts(meter.counts(surroundings), failed)) ?? ESTIMATES,
    measure(request) {
      const measures = guarded(() => meter.measure(request));
      const sizes = sound(measures?.sizes, sizesShape, 'sizes');
      const price = sound(measures?.price, priceShape, 'price');
      return { ...(sizes && { sizes }), ...(price && { price }) };
    },
    whatIf: blocksText =>
      sound(
        guarded(() => meter.whatIf(blocksText)),
        priceShape,
        'price',
      ),
    answered(requestSequence, usage) {
      guarded(() => meter.answered(requestSequence, usage));
    },
    problem() {
      if (problem !== undefined && !said) {
        said = true;
        return problem;
      }
      return guarded(() => meter.problem());
    },
  };
}

/** tiers 6: where counting fails, the layer goes on with estimates, of which its gate takes the upper bound. */
const ESTIMATES: PartCounts = {
  amountOf: value => ({ tokens: estimatedTokens(JSON.stringify(value)), origin: 'estimated' }),
  counter: 'bytes / 4',
};

function guardedCounts(counts: PartCounts | undefined, failed: (why: string) => void): PartCounts | undefined {
  if (!counts) {
    return undefined;
  }
  const sound = (count: () => Amount, value: Json): Amount => {
    try {
      const amount = count();
      const fault = amountShape.fault(amount, 'amount') ?? tooMany(amount);
      if (fault === undefined) {
        return amount;
      }
      failed(fault);
    } catch (error) {
      failed(sentenceOf(error));
    }
    return ESTIMATES.amountOf(value);
  };
  const { messages } = counts;
  return {
    ...counts,
    amountOf: (value, readAs) => sound(() => counts.amountOf(value, readAs), value),
    ...(messages && { messages: { ...messages, of: message => sound(() => messages.of(message), message) } }),
  };
}

function tooMany({ tokens }: Amount): string | undefined {
  return tokens > MOST_TOKENS ? `its tokens are more than ${MOST_TOKENS}` : undefined;
}

async function isLaterThan(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(true), milliseconds);
  });
  const isLate = await Promise.race([work.then(() => false), late]);
  clearTimeout(timer);
  return isLate;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
