import type { LifecycleState } from '../../protocol/lifecycle/lifecycleState.ts';
import { isJsonArray, isJsonObject } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';

/** When units came into a session, and which phase of it that was: what summaries are grouped and dated by. */
export class UnitStories {
  readonly #first = new Map<string, Pick<LogEvent, 'seq' | 'time'>>();

  /** Takes over one event, in the order of the log. */
  remember({ type, seq, time, data }: LogEvent): void {
    const units = type === 'host/message' && isJsonObject(data) ? (data['units'] ?? null) : null;
    for (const unit of isJsonArray(units) ? units : []) {
      if (typeof unit === 'string' && !this.#first.has(unit)) {
        this.#first.set(unit, { seq, time });
      }
    }
  }

  /** Unix milliseconds; absent for a unit that no request has shown. */
  timeOf(unit: string): number | undefined {
    return this.#first.get(unit)?.time;
  }

  /**
   * tiers 4, rule 2: the phase that a unit belongs to. A block that was discarded while the session ran was that of a phase; of
   * several that were active when the unit came, the last that began. Absent where there was none.
   */
  topicOf(unit: string, { blocks }: LifecycleState): string | undefined {
    const seq = this.#first.get(unit)?.seq;
    if (seq === undefined) {
      return undefined;
    }
    const phases = [...blocks.values()].filter(
      ({ activated, discarded }) => discarded !== undefined && activated.seq < seq && seq < discarded.seq,
    );
    return phases.toSorted((a, b) => a.activated.seq - b.activated.seq).at(-1)?.id;
  }
}
