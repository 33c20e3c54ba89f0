import { constraintIdFault } from '../protocol/budget/tier1.ts';
import { isBlockId } from '../protocol/lifecycle/declaration.ts';
import type { Json } from '../protocol/request/json.ts';
import { amount, flag, list, object, oneOf, type Read, WrongValue, word } from './configValues.ts';

/** What a model takes, in tokens, where the person knows better than the tables. */
export interface ModelLimits {
  /** The model's name, in which * stands for any characters. */
  readonly model: string;
  readonly window?: number;
  readonly inputLimit?: number;
  readonly outputReserve?: number;
}

/** A program that makes summaries: it is given texts of the session. */
export interface SummaryCommand {
  readonly command: readonly string[];
  readonly timeoutSeconds: number;
}

/** The budget layer (seed 3), as a person's config.json sets it. */
export interface BudgetSettings {
  /** Off, requests are those of seed 1 alone, to the byte. */
  readonly enabled: boolean;
  /** Of every model that `models` does not name; absent: what the agent says, else what is known of the model. */
  readonly window?: number;
  /** The first that fits counts. */
  readonly models: readonly ModelLimits[];
  /** Blocks that are tier 1. */
  readonly tier1Blocks: readonly string[];
  /** A compression that would free fewer tokens is not made. */
  readonly minReclaim: number;
  /** What becomes of a request above its limit. */
  readonly overLimit: 'block' | 'warn';
  readonly interactionUnit: 'request' | 'turn';
  /** The first tier, for each new session. */
  readonly task?: string;
  readonly constraints: readonly { readonly id: string; readonly text: string }[];
  readonly identity?: string;
  readonly outputFormat?: string;
  /** Absent: summaries are taken from the texts themselves, and nothing is sent anywhere. */
  readonly summaries?: SummaryCommand;
}

export const DEFAULT_BUDGET: BudgetSettings = {
  enabled: false,
  models: [],
  tier1Blocks: [],
  minReclaim: 0,
  overLimit: 'block',
  interactionUnit: 'request',
  constraints: [],
};

/** A time-out that nobody sets. */
const TIMEOUT_SECONDS = 30;

/** A day; adapter/budget/summarizers/ waits no longer. */
const MOST_SECONDS = 86_400;

const tokens: Read<number> = (value, place) => {
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw new WrongValue(`'${place}' must be a whole number of tokens from 1`);
  }
  return value as number;
};

/** The members that are there. Throws for one that is unknown, as `object` does. */
function members(
  value: Json,
  place: string,
  readers: Readonly<Record<string, Read<unknown>>>,
): Record<string, unknown> {
  const given = object(value, place, Object.keys(readers));
  return Object.fromEntries(
    Object.entries(given).map(([name, member]) => [name, readers[name]?.(member, `${place}.${name}`)]),
  );
}

const modelLimits: Read<ModelLimits> = (value, place) => {
  const read = members(value, place, { model: word, window: tokens, inputLimit: tokens, outputReserve: tokens });
  return { model: word((value as { model?: Json }).model ?? null, `${place}.model`), ...read };
};

const blockId: Read<string> = (value, place) => {
  const read = word(value, place);
  if (!isBlockId(read)) {
    throw new WrongValue(`'${place}' must be the ID of a block: letters from a to z, digits, _ and -`);
  }
  return read;
};

const constraint: Read<BudgetSettings['constraints'][number]> = (value, place) => {
  const { id = null, text = null } = object(value, place, ['id', 'text']);
  const read = { id: word(id, `${place}.id`), text: word(text, `${place}.text`) };
  if (constraintIdFault(read.id) !== undefined) {
    throw new WrongValue(`'${place}.id' must be another word than '${read.id}', which names no constraint`);
  }
  return read;
};

const constraints: Read<BudgetSettings['constraints']> = (value, place) => {
  const read = list(constraint)(value, place);
  const repeated = read.find(({ id }, index) => read.findIndex(other => other.id === id) < index);
  if (repeated) {
    throw new WrongValue(`'${place}' has two constraints with the id '${repeated.id}'`);
  }
  return read;
};

/** No argument of a program can hold a NUL. */
const argument: Read<string> = (value, place) => {
  const read = word(value, place);
  if (read.includes('\0')) {
    throw new WrongValue(`'${place}' must not have the character NUL`);
  }
  return read;
};

const seconds: Read<number> = (value, place) => {
  if (typeof value !== 'number' || value <= 0 || value > MOST_SECONDS) {
    throw new WrongValue(`'${place}' must be a number above 0 and at most ${MOST_SECONDS}`);
  }
  return value;
};

const summaries: Read<SummaryCommand> = (value, place) => {
  const { command = null, timeoutSeconds = TIMEOUT_SECONDS } = object(value, place, ['command', 'timeoutSeconds']);
  const words = list(argument)(command, `${place}.command`);
  if (words.length === 0) {
    throw new WrongValue(`'${place}.command' must name a program`);
  }
  return { command: words, timeoutSeconds: seconds(timeoutSeconds, `${place}.timeoutSeconds`) };
};

/** The member `budget` of a config file; what it does not name has its default. */
export const budgetSettings: Read<BudgetSettings> = (value, place) => ({
  ...DEFAULT_BUDGET,
  ...members(value, place, {
    enabled: flag,
    window: tokens,
    models: list(modelLimits),
    tier1Blocks: list(blockId),
    minReclaim: amount,
    overLimit: oneOf(['block', 'warn']),
    interactionUnit: oneOf(['request', 'turn']),
    task: word,
    constraints,
    identity: word,
    outputFormat: word,
    summaries,
  }),
});
