import { Vector } from './vector.ts';

/**
 * A map that never changes and keeps the order in which keys came: `with` gives a new one that shares nearly all of the old
 * one. A hostile source may define 100,000 blocks, and copying a `Map` for each would take minutes.
 */
export class OrderedMap<Value> implements ReadonlyMap<string, Value> {
  readonly #items: Vector<readonly [string, Value]>;
  /** Shared with all maps that this one grew from or into: it may hold keys that are not of this map. */
  readonly #places: Map<string, number>;

  private constructor(items: Vector<readonly [string, Value]>, places: Map<string, number>) {
    this.#items = items;
    this.#places = places;
  }

  static empty<Value>(): OrderedMap<Value> {
    return new OrderedMap<Value>(Vector.empty(), new Map());
  }

  /** The map itself where it is one of these, else a copy. */
  static of<Value>(map: ReadonlyMap<string, Value>): OrderedMap<Value> {
    return map instanceof OrderedMap
      ? (map as OrderedMap<Value>)
      : new OrderedMap<Value>(Vector.of(map), new Map([...map.keys()].map((key, place) => [key, place])));
  }

  get size(): number {
    return this.#items.length;
  }

  get(key: string): Value | undefined {
    return this.#itemOf(key)?.[1];
  }

  has(key: string): boolean {
    return this.#itemOf(key) !== undefined;
  }

  /** A map in which the key has this value: at its place where it is there already, else at the end. */
  with(key: string, value: Value): OrderedMap<Value> {
    const place = this.#places.get(key);
    if (place !== undefined && this.#items.get(place)?.[0] === key) {
      return new OrderedMap(this.#items.set(place, [key, value]), this.#places);
    }
    // Another map grew further from here: this one needs places of its own.
    const places =
      this.#places.size === this.size ? this.#places : new Map([...this.keys()].map((name, index) => [name, index]));
    places.set(key, this.size);
    return new OrderedMap(this.#items.push([key, value]), places);
  }

  forEach(visit: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [key, value] of this.#items) {
      visit(value, key, this);
    }
  }

  entries(): MapIterator<[string, Value]> {
    return this.#items
      .toArray()
      .map(([key, value]): [string, Value] => [key, value])
      .values();
  }

  keys(): MapIterator<string> {
    return this.#items
      .toArray()
      .map(([key]) => key)
      .values();
  }

  values(): MapIterator<Value> {
    return this.#items
      .toArray()
      .map(([, value]) => value)
      .values();
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  #itemOf(key: string): readonly [string, Value] | undefined {
    const place = this.#places.get(key);
    const item = place === undefined ? undefined : this.#items.get(place);
    return item?.[0] === key ? item : undefined;
  }
}
