import fc from 'fast-check';

/** White space as JSON lets it stand between its signs. */
const space = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(' ', '\n', '\t', '\r\n', '  \n\t '));

const NUMBERS = [
  '0',
  '-0',
  '1',
  '1.0',
  '1e3',
  '1E+3',
  '-1.50e-2',
  '12345678901234567890',
  '0.1',
  '1e-400',
  '9.999999999999999e22',
];

const STRINGS = [
  '""',
  '"a"',
  '"\\""',
  '"\\\\"',
  '"\\\\\\""',
  '"\\u0041\\u00e9"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\/\\b\\f\\n\\r\\t"',
  '"{[\\"]},:"',
  '"\u2028é😀"',
  '"__proto__"',
  `"${'long '.repeat(20)}\\\\"`,
  `"${'x'.repeat(14)}\\"tail"`,
  `"${'x'.repeat(15)}\\\\"`,
];

const NAMES = [
  '"a"',
  '"b"',
  '"\\u0061"',
  '"__proto__"',
  '"constructor"',
  '"1"',
  '"0"',
  '""',
  '"\\""',
  '"content"',
  '"role"',
  '"length"',
];

/** JSON texts of every form. */
const { object, value: hostileValue } = fc.letrec<{
  value: string;
  object: string;
  list: string;
}>(tie => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom(...NUMBERS, ...STRINGS, 'true', 'false', 'null'),
    tie('object'),
    tie('list'),
  ),
  object: fc
    .tuple(
      space,
      fc.array(fc.tuple(space, fc.constantFrom(...NAMES), space, space, tie('value'), space), { maxLength: 4 }),
    )
    .map(([empty, members]) =>
      braced(
        '{}',
        empty,
        members.map(([a, name, b, c, value, d]) => `${a}${name}${b}:${c}${value}${d}`),
      ),
    ),
  list: fc.tuple(space, fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 })).map(([empty, items]) =>
    braced(
      '[]',
      empty,
      items.map(item => item.join('')),
    ),
  ),
}));

/** Objects of every form, as JSON texts. */
export const hostileObject = object;

function braced([open = '', close = '']: string, empty: string, parts: readonly string[]): string {
  return open + (parts.length > 0 ? parts.join(',') : empty) + close;
}

const listText = fc
  .tuple(
    space,
    fc.array(fc.tuple(space, fc.oneof({ weight: 4, arbitrary: object }, hostileValue), space), { maxLength: 5 }),
  )
  .map(([empty, items]) =>
    braced(
      '[]',
      empty,
      items.map(item => item.join('')),
    ),
  );

const member = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('"messages"', '"mess\\u0061ges"'), listText) },
  fc.tuple(fc.constantFrom('"messages"', '"system"', '"tools"', ...NAMES), hostileValue),
);

/** Bodies whose member `messages` is a list, something else, not there, or there more than once. */
export const hostileBody = fc
  .tuple(space, space, space, fc.array(fc.tuple(space, member, space, space, space), { maxLength: 6 }))
  .map(([before, empty, after, members]) => {
    const parts = members.map(([a, [name, value], b, c, d]) => `${a}${name}${b}:${c}${value}${d}`);
    return `${before}${braced('{}', empty, parts)}${after}`;
  });
