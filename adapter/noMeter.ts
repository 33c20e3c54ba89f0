import type { RequestMeter } from './requestMeter.ts';

/** For sessions in which nobody counts: their requests have no sizes and no prices. */
export const NO_METER: RequestMeter = {
  prepare: async () => {},
  counts: () => undefined,
  measure: () => ({}),
  whatIf: () => undefined,
  answered: () => {},
  problem: () => undefined,
};
