import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, call, result, user } from './budgetKit.ts';

/** A generator of numbers that gives the same ones each time. */
export class Numbers {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to one below. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 4_294_967_296) * limit);
  }
}

const SUBJECTS = [
  'orders',
  'invoices',
  'users',
  'sessions',
  'the cart',
  'payments',
  'the search',
  'mails',
  'stock',
  'reports',
];
const RULES = [
  'must keep its public names',
  'must never write to production',
  'may only be called from the server',
  'should always be covered by a test',
  'must not log personal data',
];
const FOREIGN = [
  '必须先备份数据库',
  '絶対に本番を触らないでください',
  'Нельзя менять схему базы',
  'Die Schnittstelle darf sich nie ändern',
];

/** One turn of a coding session: what the user says, tools with their results, and an answer. */
export interface Turn {
  readonly messages: readonly JsonObject[];
  /** Sentences that must hold from here on, to the character. */
  readonly constraints: readonly string[];
}

/** A turn with about so many words; most of them are in the results of tools, as in real sessions. */
export function turnOf(index: number, size: number, numbers: Numbers): Turn {
  const subject = SUBJECTS[numbers.below(SUBJECTS.length)] ?? 'orders';
  const constraints =
    numbers.below(12) === 0
      ? [`Rule ${index}: ${subject} ${RULES[numbers.below(RULES.length)] ?? ''}.`]
      : numbers.below(40) === 0
        ? [`${FOREIGN[numbers.below(FOREIGN.length)] ?? ''} ${index}。`]
        : [];
  const path = `src/${subject.replaceAll(' ', '')}/part${numbers.below(30)}.ts`;
  const asked = `Thanks! Now look at ${path} for step ${index}. ${constraints.join(' ')} ${prose(numbers, 25)}`;
  const tools = Array.from({ length: 1 + numbers.below(3) }, (_, place) => `t${index}-${place}`);
  const each = Math.max(10, Math.floor((size - 120) / tools.length));
  return {
    messages: [
      user(asked),
      ...tools.flatMap(id => [
        call(id),
        result(id, `${path}\n${prose(numbers, each)}\n${numbers.below(9) === 0 ? 'exit code 1' : `${index} passed`}`),
      ]),
      assistant(`I changed ${path}. ${prose(numbers, 60)}`),
    ],
    constraints,
  };
}

function prose(numbers: Numbers, count: number): string {
  return Array.from({ length: count }, () => `${'abcdefgh'[numbers.below(8)]}${numbers.below(5000)}`).join(' ');
}
