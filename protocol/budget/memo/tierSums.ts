import { isRaw, type TieredGroup } from '../classification.ts';
import { TIERS, type Tier } from '../limits.ts';
import { Tally } from './tally.ts';

/** What groups take, tier by tier. */
export class TierSums {
  readonly tiers: Readonly<Record<Tier, Tally>>;
  /** Of the third tier, what no summary stands for. */
  readonly raw: Tally;

  private constructor(tiers: Readonly<Record<Tier, Tally>>, raw: Tally) {
    this.tiers = tiers;
    this.raw = raw;
  }

  static empty(): TierSums {
    return new TierSums(
      { tier1: new Tally(), tier2: new Tally(), tier3: new Tally(), tier4: new Tally() },
      new Tally(),
    );
  }

  add(group: TieredGroup): void {
    this.tiers[group.tier].add(group.counted);
    if (isRaw(group)) {
      this.raw.add(group.counted);
    }
  }

  subtract(group: TieredGroup): void {
    this.tiers[group.tier].subtract(group.counted);
    if (isRaw(group)) {
      this.raw.subtract(group.counted);
    }
  }

  /** These, and what more groups take. */
  with(groups: readonly TieredGroup[]): TierSums {
    const sums = TierSums.empty();
    TIERS.forEach(tier => sums.tiers[tier].add(this.tiers[tier]));
    sums.raw.add(this.raw);
    groups.forEach(group => sums.add(group));
    return sums;
  }
}
