import fc from 'fast-check';

/** JSON as programs other than `JSON.stringify` write it: blanks, escapes and numbers in other forms; the same member twice. */
export function oddJson(value: unknown, next: () => number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[next() % items.length] as Item;
  const blank = (): string => pick(['', '', '', ' ', '\n  ', '\t', '\r\n']);
  const write = (inner: unknown): string => {
    if (typeof inner === 'string') {
      return writeText(inner, next);
    }
    if (typeof inner === 'number' && Number.isSafeInteger(inner)) {
      return pick([String(inner), String(inner), `${inner}.0`, `${inner}e0`, `${inner}.00E+0`]);
    }
    if (Array.isArray(inner)) {
      return `[${blank()}${inner.map(item => write(item) + blank()).join(`,${blank()}`)}]`;
    }
    if (typeof inner === 'object' && inner !== null) {
      const members = Object.entries(inner).map(
        ([name, item]) => `${writeText(name, next)}${blank()}:${blank()}${write(item)}`,
      );
      return `{${blank()}${members.join(`${blank()},${blank()}`)}${blank()}}`;
    }
    return JSON.stringify(inner);
  };
  return blank() + write(value) + blank();
}

function writeText(text: string, next: () => number): string {
  return JSON.stringify(text).replace(/[a-z/](?![^\\]*\\$)/gi, (letter, at: number, whole: string) => {
    // what follows a backslash is an escape already
    if (
      whole[at - 1] === '\\' ||
      /\\u[0-9a-f]{0,3}$/i.test(whole.slice(Math.max(0, at - 5), at)) ||
      next() % 40 !== 0
    ) {
      return letter;
    }
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Numbers for choices, from fast-check, so that a failure is found again. */
export const choices = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 64 }).map(numbers => {
  let at = 0;
  return (): number => numbers[at++ % numbers.length] as number;
});
