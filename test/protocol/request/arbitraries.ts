import fc from 'fast-check';
import type { RawRequestHeader, RequestHeader } from '../../../protocol/request/header.ts';
import { canonicalHeader } from '../../../protocol/request/header.ts';
import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import { type Entry, user } from './logKit.ts';

const names = fc.constantFrom('a', 'b', '1', '__proto__', 'constructor', 'toString', '');

/** Objects as JSON.parse makes them: `__proto__` is a member. */
function objectOf<Value>(member: fc.Arbitrary<Value>): fc.Arbitrary<Readonly<Record<string, Value>>> {
  return fc.array(fc.tuple(names, member), { maxLength: 3 }).map(members => Object.fromEntries(members));
}

const { json } = fc.letrec<{ json: Json }>(tie => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1.5, '', 'a', 'a\nb'),
    objectOf(tie('json')) as fc.Arbitrary<Json>,
    fc.array(tie('json'), { maxLength: 3 }),
  ),
}));

const objects = objectOf(json) as fc.Arbitrary<JsonObject>;

/** Texts with few different lines, so that ends are shared and overlap. */
const texts = fc.array(fc.constantFrom('', 'a', 'b', 'a\r', '\u2028'), { maxLength: 6 }).map(lines => lines.join('\n'));

const toolNames = fc.constantFrom('dig', 'rake', 'sow', '__proto__', 'constructor');

/** Tools of which no two share a name. */
export const distinctTools: fc.Arbitrary<readonly Json[]> = fc.uniqueArray(
  fc.record({ name: toolNames, parameters: fc.constantFrom<Json>({}, { a: 1 }, { a: 1, b: 2 }, { b: 2, a: 1 }) }),
  { selector: ({ name }) => name },
);

/** Tools that share keys in every way, or have none. */
const anyTools: fc.Arbitrary<readonly Json[]> = fc.array(
  fc.oneof(
    json,
    fc.record({ name: toolNames, a: fc.nat(1) }),
    fc.record({ type: toolNames }),
    toolNames.map(name => ({ type: 'function', function: { name } })),
  ),
  { maxLength: 4 },
);

/** Headers that may have empty parts. */
const rawHeadersWith = (tools: fc.Arbitrary<readonly Json[]>): fc.Arbitrary<RawRequestHeader> =>
  fc.record(
    {
      config: fc.oneof(objects, fc.constantFrom<JsonObject>({ model: 'm' }, { model: 'n', stop: [] })),
      system: fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: json }),
      tools,
      messagePrefix: fc.array(objects, { maxLength: 2 }),
    },
    { requiredKeys: ['config'] },
  );

export const rawHeaders = rawHeadersWith(anyTools);

/** Canonical headers, by default with any tools. */
export const headers = (tools = anyTools): fc.Arbitrary<RequestHeader> => rawHeadersWith(tools).map(canonicalHeader);

/** Messages whose text is their seq: appended, or in the place of a range that is on the surface. */
export const messageEvents: fc.Arbitrary<readonly Entry[]> = fc
  .array(fc.tuple(fc.boolean(), fc.nat(), fc.nat()), { maxLength: 20 })
  .map(steps => {
    const surface: number[] = [];
    return steps.map(([append, first, second], seq) => {
      if (append || surface.length === 0) {
        surface.push(seq);
        return user(String(seq));
      }
      const [from = 0, to = 0] = [first % surface.length, second % surface.length].sort((a, b) => a - b);
      const [start = 0, end = 0] = [surface[from], surface[to]];
      surface.splice(from, to - from + 1, seq);
      return user(String(seq), { op: 'replace', start, end });
    });
  });

/** Mostly the value that belongs there, now and then any JSON. */
const mostly = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: json });

const counts = mostly(fc.nat(2));
const systemDeltas = fc.oneof(
  fc.record({ keepStart: counts, keepEnd: counts, insert: mostly(fc.array(mostly(fc.constantFrom('a', 'b')))) }),
  fc.record({ replace: json }),
);
const toolsDeltas = fc.record({
  added: mostly(fc.array(fc.constant({ name: 'sow' }), { maxLength: 1 })),
  removed: mostly(fc.array(mostly(fc.constant('dig')), { maxLength: 1 })),
  changed: mostly(fc.array(fc.constant({ name: 'rake', a: 1 }), { maxLength: 1 })),
});
const loggedHeaders = fc.record(
  {
    config: mostly(objects),
    system: fc.constant('a\nb\na'),
    tools: mostly(fc.constant([{ name: 'dig' }, { name: 'rake' }])),
    messagePrefix: mostly(fc.array(objects, { maxLength: 1 })),
  },
  { requiredKeys: ['config', 'system', 'tools'] },
);
const deltas = fc.record(
  {
    system: mostly(systemDeltas),
    tools: mostly(toolsDeltas),
    config: mostly(objects),
    messagePrefix: mostly(fc.array(objects, { maxLength: 1 })),
  },
  { requiredKeys: [] },
);
const messages = fc.record({
  content: mostly(fc.array(objects, { maxLength: 2 })),
  source: mostly(fc.constant({ kind: 'user' })),
  callId: mostly(fc.constant('c')),
  isError: mostly(fc.boolean()),
  message: mostly(objects),
});
const messageTypes = fc.constantFrom(
  'user/message',
  'assistant/message',
  'tool/result',
  'context/message',
  'steering/message',
  'host/message',
);
const replacements = fc.record({ op: fc.constant('replace'), start: counts, end: counts });
const surfaceOps = fc.oneof(
  { weight: 5, arbitrary: fc.constant('append') },
  { weight: 1, arbitrary: mostly(replacements) },
);

const eventsWithoutSeq: fc.Arbitrary<object> = fc.oneof(
  fc.record({ type: fc.constant('request/header'), data: mostly(fc.record({ header: mostly(loggedHeaders) })) }),
  fc.record({ type: fc.constant('request/header-delta'), data: mostly(deltas) }),
  fc.record({ type: messageTypes, data: mostly(messages), surfaceOp: surfaceOps }),
  fc.record({ type: fc.constantFrom('step/start', 'step/end', 'plug-in/type'), data: json }),
);

/** Lists of JSON values that are, more or less, events at their places; the first is mostly a snapshot. */
export const anyEvents: fc.Arbitrary<unknown[]> = fc
  .tuple(
    mostly(fc.record({ type: fc.constant('request/header'), data: fc.record({ header: loggedHeaders }) })),
    fc.array(mostly(eventsWithoutSeq), { maxLength: 7 }),
    fc.nat(60),
  )
  .map(([first, others, displaced]) =>
    [first, ...others].map((item, place) =>
      typeof item === 'object' && item !== null && place !== displaced ? { ...item, seq: place } : item,
    ),
  );
