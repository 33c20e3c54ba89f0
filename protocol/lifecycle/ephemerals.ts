import { frozenCopy } from '../request/frozenCopy.ts';
import type { JsonObject } from '../request/json.ts';
import { utf8Length } from '../utf8Length.ts';
import { allows } from './defaultPolicy.ts';
import type { LifecycleLog } from './lifecycleLog.ts';
import type { MessageFormat } from './messageFormat.ts';
import type { Policy } from './policy.ts';
import type { Slot } from './transcriptReader.ts';
import type { ReadMessage, ReadUnit } from './unit.ts';

/** V1: what stands for a consumed unit; the number is the original's size in bytes. */
function tombstone(originalBytes: number): string {
  return `[EPHEMERAL:Output omitted after consumption;original_bytes=${originalBytes}]`;
}

/** A unit that the policy lets be ephemeral. */
interface EphemeralUnit {
  /** In its message. */
  readonly place: number;
  readonly unit: ReadUnit;
  readonly rule: string;
  readonly bytes: number;
}

const NONE: readonly EphemeralUnit[] = [];

/** Lets ephemeral units in once, and puts tombstones for them where an answer stands after them. */
export class Ephemerals {
  readonly #policy: Policy;
  readonly #format: MessageFormat;
  readonly #log: LifecycleLog;
  readonly #ordinals = new Map<string, number>();
  readonly #units = new WeakMap<ReadMessage, readonly EphemeralUnit[]>();
  readonly #replaced = new WeakMap<ReadMessage, JsonObject>();

  /** What the log's state knows of ephemeral units, it goes on to know. */
  constructor(policy: Policy, format: MessageFormat, log: LifecycleLog) {
    this.#policy = policy;
    this.#format = format;
    this.#log = log;
    for (const [ordinal, { unit }] of log.state().ephemerals.toArray().entries()) {
      this.#ordinals.set(unit, ordinal);
    }
  }

  /** The message as the model is to see it, deep-frozen; audits what was not audited before. */
  messageOf({ read, keys }: Slot, answered: boolean): JsonObject {
    const units = this.#unitsOf(read);
    for (const unit of units) {
      const key = keys[unit.place] as string;
      if (answered) {
        this.#consume(unit, key);
      } else {
        this.#admit(unit, key);
      }
    }
    return answered && units.length > 0 ? this.#withTombstones(read, units) : read.message;
  }

  #unitsOf(read: ReadMessage): readonly EphemeralUnit[] {
    if (!read.ephemeral) {
      return NONE;
    }
    let units = this.#units.get(read);
    if (!units) {
      units = read.units.flatMap((unit, place) => this.#allowed(unit, place));
      this.#units.set(read, units);
    }
    return units;
  }

  #allowed(unit: ReadUnit, place: number): readonly EphemeralUnit[] {
    const { class: sourceClass, source, content } = unit.description;
    const { allowed, rule } = allows(this.#policy, sourceClass, source, 'ephemeral');
    if (!unit.ephemeral || !allowed) {
      return [];
    }
    return [{ place, unit, rule, bytes: utf8Length(typeof content === 'string' ? content : JSON.stringify(content)) }];
  }

  #admit({ unit, rule, bytes }: EphemeralUnit, key: string): void {
    if (!this.#ordinals.has(key)) {
      const ordinal = this.#log.state().ephemerals.length;
      this.#log.append({ type: 'ephemeral/admitted', data: { ordinal, ...this.#facts(unit, key, rule, bytes) } });
      this.#ordinals.set(key, ordinal);
    }
  }

  #consume({ unit, rule, bytes }: EphemeralUnit, key: string): void {
    const { ephemerals } = this.#log.state();
    const ordinal = this.#ordinals.get(key) ?? ephemerals.length;
    if (ephemerals.get(ordinal)?.consumed) {
      return;
    }
    const tombstoneBytes = tombstone(bytes).length;
    this.#log.append({
      type: 'ephemeral/consumed',
      data: { ordinal, ...this.#facts(unit, key, rule, bytes), trigger: 'assistant-response', tombstoneBytes },
    });
    this.#ordinals.set(key, ordinal);
  }

  #facts({ description }: ReadUnit, unit: string, rule: string, bytes: number) {
    const { source, class: sourceClass } = description;
    return { unit, source, class: sourceClass, rule, bytes, requestSequence: this.#log.requestSequence() };
  }

  #withTombstones(read: ReadMessage, units: readonly EphemeralUnit[]): JsonObject {
    let replaced = this.#replaced.get(read);
    if (!replaced) {
      const contents = new Map(units.map(({ place, bytes }) => [place, tombstone(bytes)]));
      replaced = frozenCopy(this.#format.withContents(read.message, contents));
      this.#replaced.set(read, replaced);
    }
    return replaced;
  }
}
