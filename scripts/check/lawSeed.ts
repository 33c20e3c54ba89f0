/** What laws begin with every day, so that a build machine tries the cases that a developer tries. */
const EVERYDAY_SEED = 20_261;

/**
 * The seed of all laws in a test process: what `LAW_SEED` says, which is a whole number or `random`, else always the same one.
 * Absent for `random`: fast-check then takes one for each law. Throws a sentence for a person.
 */
export function lawSeed(asked: string | undefined): number | undefined {
  if (asked === undefined) {
    return EVERYDAY_SEED;
  }
  if (asked !== 'random' && !/^-?\d{1,10}$/.test(asked)) {
    throw new Error(`LAW_SEED is ${JSON.stringify(asked)}: make it a whole number or \`random\`.`);
  }
  return asked === 'random' ? undefined : Number(asked);
}

/** How often `npm run laws` runs each law: what `LAW_RUNS` says, else 20 times. Throws a sentence for a person. */
export function lawRuns(asked = '20'): number {
  if (!/^[1-9]\d{0,4}$/.test(asked)) {
    throw new Error(`LAW_RUNS is ${JSON.stringify(asked)}: make it a whole number from 1 to 99999.`);
  }
  return Number(asked);
}
