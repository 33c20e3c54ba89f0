/**
 * What a value read from a log or a socket must look like, said once: the check, the type and the page of the
 * documentation follow from it.
 */
export interface Shape<Value> {
  /** For the documentation: "text", "a whole number" … */
  readonly says: string;
  /** What is wrong with a value, as a part of a sentence ("its line is no whole number"); absent when nothing is. */
  fault(value: unknown, name: string): string | undefined;
  /** Only there to carry the type. */
  readonly value?: Value;
}

/** The type of the values that a shape lets through. */
export type Of<Given> = Given extends Shape<infer Value> ? Value : never;

/** A member that may be absent. */
export interface Maybe<Value> {
  readonly maybe: Shape<Value>;
}

type Members = Readonly<Record<string, Shape<unknown> | Maybe<unknown>>>;

type Flat<Value> = { readonly [Name in keyof Value]: Value[Name] };

/** The object that these members make. */
export type RecordOf<Given extends Members> = Flat<
  {
    readonly [Name in keyof Given as Given[Name] extends Maybe<unknown> ? never : Name]: Of<Given[Name]>;
  } & {
    readonly [Name in keyof Given as Given[Name] extends Maybe<unknown> ? Name : never]?: Given[Name] extends Maybe<
      infer Value
    >
      ? Value
      : never;
  }
>;

/** A shape of an object, whose members the documentation lists. */
export interface RecordShape<Given extends Members> extends Shape<RecordOf<Given>> {
  readonly members: Given;
}

function simple<Value>(says: string, accepts: (value: unknown) => boolean): Shape<Value> {
  return { says, fault: (value, name) => (accepts(value) ? undefined : `its ${name} is not ${says}`) };
}

export const text: Shape<string> = simple('text', value => typeof value === 'string');
export const flag: Shape<boolean> = simple('true or false', value => typeof value === 'boolean');
/** From 0; `seq`, sizes, times. */
export const count: Shape<number> = simple(
  'a whole number from 0',
  value => Number.isSafeInteger(value) && (value as number) >= 0,
);
/** From 1: lines, request sequences, turns and steps. */
export const ordinal: Shape<number> = simple(
  'a whole number from 1',
  value => Number.isSafeInteger(value) && (value as number) >= 1,
);
/** Times: a clock may stand before 1970. */
export const whole: Shape<number> = simple('a whole number', value => Number.isSafeInteger(value));
export const finite: Shape<number> = simple('a number', value => Number.isFinite(value));
/** SHA-256 in lower-case hex. */
export const sha256: Shape<string> = simple(
  'a SHA-256 in lower-case hex',
  value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
);

/** Any JSON value; the reader of the file has parsed it. */
export function anything<Value>(says: string): Shape<Value> {
  return simple(says, value => value !== undefined);
}

/** Any JSON object, whose members are somebody else's. */
export function object<Value>(says: string): Shape<Value> {
  return simple(says, value => typeof value === 'object' && value !== null && !Array.isArray(value));
}

/** What the shape lets through, or null. */
export function orNull<Value>(shape: Shape<Value>): Shape<Value | null> {
  const says = `${shape.says}, or null`;
  return simple(says, value => value === null || shape.fault(value, '') === undefined);
}

export function oneOf<const Words extends readonly string[]>(...words: Words): Shape<Words[number]> {
  return simple(words.map(word => `\`${word}\``).join(' or '), value => words.includes(value as string));
}

/** A shape of a list, whose items the documentation describes. */
export interface ListShape<Item> extends Shape<readonly Item[]> {
  readonly item: Shape<Item>;
}

export function list<Item>(item: Shape<Item>): ListShape<Item> {
  return {
    item,
    says: `a list, each item ${item.says}`,
    fault(value, name) {
      if (!Array.isArray(value)) {
        return `its ${name} is no list`;
      }
      for (const [index, entry] of value.entries()) {
        const fault = item.fault(entry, `${name}[${index}]`);
        if (fault) {
          return fault;
        }
      }
      return undefined;
    },
  };
}

export function maybe<Value>(shape: Shape<Value>): Maybe<Value> {
  return { maybe: shape };
}

/** Members that it does not name are let through: a newer version may have added them. */
export function record<const Given extends Members>(members: Given): RecordShape<Given> {
  const checks = Object.entries(members).map(([member, shape]) =>
    'maybe' in shape ? { member, shape: shape.maybe, optional: true } : { member, shape, optional: false },
  );
  return {
    members,
    says: 'an object',
    fault(value, name) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return `its ${name} is no object`;
      }
      for (const { member, shape, optional } of checks) {
        const entry: unknown = Object.hasOwn(value, member) ? (value as Record<string, unknown>)[member] : undefined;
        const fault = optional && entry === undefined ? undefined : shape.fault(entry, member);
        if (fault) {
          return fault;
        }
      }
      return undefined;
    },
  };
}
