import { price as priceShape } from '../protocol/log/amounts.ts';
import { sizes as sizesShape } from '../protocol/log/sessionEvents.ts';
import type { Shape } from '../protocol/shape.ts';
import type { RequestMeter } from './requestMeter.ts';

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

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
