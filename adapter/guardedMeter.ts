import { type Amount, amount as amountShape, price as priceShape } from '../protocol/log/amounts.ts';
import { sizes as sizesShape } from '../protocol/log/sessionEvents.ts';
import type { Json } from '../protocol/request/json.ts';
import type { Shape } from '../protocol/shape.ts';
import type { PartCounts, RequestMeter } from './requestMeter.ts';
import { estimatedTokens } from './tokens/estimate.ts';

const BROKEN = 'Tokens are not counted any more, because what counts them has failed';

/**
 * A meter whose faults cost its numbers and nothing else: a request is not held up, and not refused, because somebody's token
 * counter throws or gives what is no number.
 */
export function guardedMeter(meter: RequestMeter): RequestMeter {
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
  let said = false;
  return {
    async prepare(input, before) {
      try {
        await meter.prepare(input, before);
      } catch (error) {
        failed(sentenceOf(error));
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
      const fault = amountShape.fault(amount, 'amount');
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

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
