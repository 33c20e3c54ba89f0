import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Policy, type PolicyRule, RIGHTS, SOURCE_CLASSES } from '../protocol/lifecycle/policy.ts';
import { isJsonObject, type JsonObject } from '../protocol/request/json.ts';
import { type BudgetSettings, budgetSettings, DEFAULT_BUDGET } from './budgetSettings.ts';
import { amount, flag, list, object, oneOf, type Read, shortened, WrongValue, word } from './configValues.ts';
import { homeFolder } from './folders.ts';
import { DEFAULT_RETENTION } from './retention.ts';
import { checkUpstream } from './upstreamAddress.ts';

/** How the gateway in front of model APIs behaves. */
export interface GatewayConfig {
  /** Where requests go on to, in place of a provider's own address; without a slash at the end. */
  readonly upstreams: { readonly anthropic?: string; readonly openai?: string; readonly gemini?: string };
  /** What becomes of a request that cannot be prepared. `pass` sends it on as it came, and says so. */
  readonly onFailure: 'refuse' | 'pass';
}

/** What a person's config.json sets; schemas/config.schema.json says the same to editors. */
export interface UserConfig {
  /** `hashes` stores no content. */
  readonly content: 'full' | 'hashes';
  /** Rebuild each sealed request from the log and compare. */
  readonly crossCheck: boolean;
  /** Announce the session, so that an editor can watch it. */
  readonly announce: boolean;
  readonly countTokens: boolean;
  readonly retentionDays: number;
  readonly retentionBytes: number;
  /** Absent: the default policy. */
  readonly policy?: Policy;
  /** Whole paths of the user's own context files, which are loaded before those of a repository, in this order. */
  readonly sources: readonly string[];
  /** Absent: what the file says of it cannot be used, and no gateway may start, for requests carry credentials. */
  readonly gateway: GatewayConfig | undefined;
  /** The budget layer (seed 3). */
  readonly budget: BudgetSettings;
}

/** What counts, and a sentence for each part of the file that does not. */
export interface ReadConfig {
  readonly config: UserConfig;
  readonly problems: readonly string[];
}

export const DEFAULT_CONFIG: UserConfig = {
  content: 'full',
  crossCheck: false,
  announce: true,
  countTokens: true,
  retentionDays: DEFAULT_RETENTION.days,
  retentionBytes: DEFAULT_RETENTION.bytes,
  sources: [],
  gateway: { upstreams: {}, onFailure: 'refuse' },
  budget: DEFAULT_BUDGET,
};

/**
 * What counts in place of a value that is wrong. Nobody knows what was meant, so nothing is stored, shown, removed or allowed
 * that may not have been meant.
 */
const CAREFUL = {
  ...DEFAULT_CONFIG,
  content: 'hashes',
  announce: false,
  retentionDays: Number.MAX_SAFE_INTEGER,
  retentionBytes: Number.MAX_SAFE_INTEGER,
  policy: { rules: [] },
  gateway: undefined,
} as const satisfies UserConfig;

/** In words, for a person; what is not here is as without the setting. */
const CAREFULLY: Partial<Record<keyof UserConfig, string>> = {
  content: 'no content is stored',
  announce: 'sessions are not announced',
  retentionDays: 'no log is removed for its age',
  retentionBytes: 'no log is removed for its size',
  policy: 'no source may define or discard anything',
  gateway: 'no gateway starts',
  budget: 'the budget layer is off',
};

const MAX_BYTES = 1_000_000;
const OTHERS_MAY_WRITE = 0o022;

/**
 * Reads a person's config.json. A file that is not there sets nothing. What is wrong in it is named, and until it is mended
 * the careful choice counts in its place. Throws nothing.
 */
export function readUserConfig(path: string): ReadConfig {
  let text: string | undefined;
  try {
    text = textOf(path);
  } catch (error) {
    return unusable(path, (error as Error).message);
  }
  return text === undefined ? { config: DEFAULT_CONFIG, problems: [] } : parseUserConfig(path, text);
}

/** What a config file's text says; `path` stands in the sentences. */
export function parseUserConfig(path: string, text: string): ReadConfig {
  let content: unknown;
  try {
    content = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    return unusable(path, `it is no JSON (${(error as Error).message})`);
  }
  return isJsonObject(content) ? readMembers(path, content) : unusable(path, 'it holds no JSON object');
}

function unusable(path: string, reason: string): ReadConfig {
  const problem = `${path} cannot be used: ${reason}. Until it is mended, ${Object.values(CAREFULLY).join(', ')}.`;
  return { config: CAREFUL, problems: [problem] };
}

/** Absent when there is no such file. A link is followed: many people keep their settings elsewhere. */
function textOf(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  try {
    refuse(fstatSync(descriptor));
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Who can write the file can choose the policy. That others can read it harms nobody. */
function refuse(stats: Stats): void {
  const uid = process.getuid?.();
  if (!stats.isFile()) {
    throw new Error('it is no ordinary file');
  }
  if (stats.size > MAX_BYTES) {
    throw new Error(`it is larger than ${MAX_BYTES} bytes`);
  }
  if (uid !== undefined && stats.uid !== uid && stats.uid !== 0) {
    throw new Error(`it belongs to another user (number ${stats.uid})`);
  }
  if (uid !== undefined && (stats.mode & OTHERS_MAY_WRITE) !== 0) {
    throw new Error('other users may write it; run "chmod go-w" on it');
  }
}

function readMembers(path: string, content: JsonObject): ReadConfig {
  const problems: string[] = [];
  const config: Record<string, unknown> = { ...DEFAULT_CONFIG };
  for (const [name, value] of Object.entries(content)) {
    if (name === '$schema') {
      continue;
    }
    if (!isSetting(name)) {
      const known = Object.keys(readers).join(', ');
      problems.push(`${path}: '${shortened(name)}' is no setting. The settings are ${known}.`);
      continue;
    }
    try {
      config[name] = readers[name](value, name);
    } catch (error) {
      if (!(error instanceof WrongValue)) {
        throw error;
      }
      const careful = CAREFULLY[name] ?? 'it counts as not set';
      problems.push(`${path}: ${error.message}. Until it is mended, ${careful}.`);
      config[name] = CAREFUL[name];
    }
  }
  return { config: config as unknown as UserConfig, problems };
}

const rule: Read<PolicyRule> = (value, place) => {
  const { class: given = null, pattern = null, may = null } = object(value, place, ['class', 'pattern', 'may']);
  return {
    class: oneOf(SOURCE_CLASSES)(given, `${place}.class`),
    pattern: word(pattern, `${place}.pattern`),
    may: list(oneOf(RIGHTS))(may, `${place}.may`),
  };
};

const policy: Read<Policy> = (value, place) => {
  const { rules = null } = object(value, place, ['rules']);
  return { rules: list(rule)(rules, `${place}.rules`) };
};

const source: Read<string> = (value, place) => {
  const path = word(value, place);
  const whole = path.startsWith('~/') ? join(homeFolder(), path.slice(2)) : path;
  if (!isAbsolute(whole)) {
    throw new WrongValue(`'${place}' must be a whole path, or one that begins with ~/`);
  }
  return whole;
};

const upstream: Read<string> = (value, place) => {
  const checked = checkUpstream(word(value, place));
  if ('wrong' in checked) {
    throw new WrongValue(`'${place}' ${checked.wrong}`);
  }
  return checked.address;
};

const gateway: Read<GatewayConfig> = (value, place) => {
  const { upstreams = {}, onFailure = 'refuse' } = object(value, place, ['upstreams', 'onFailure']);
  const addresses = object(upstreams, `${place}.upstreams`, ['anthropic', 'openai', 'gemini']);
  return {
    upstreams: Object.fromEntries(
      Object.entries(addresses).map(([name, address]) => [name, upstream(address, `${place}.upstreams.${name}`)]),
    ),
    onFailure: oneOf(['refuse', 'pass'])(onFailure, `${place}.onFailure`),
  };
};

const readers: { readonly [Name in keyof UserConfig]-?: Read<NonNullable<UserConfig[Name]>> } = {
  content: oneOf(['full', 'hashes']),
  crossCheck: flag,
  announce: flag,
  countTokens: flag,
  retentionDays: amount,
  retentionBytes: amount,
  policy,
  sources: list(source),
  gateway,
  budget: budgetSettings,
};

function isSetting(name: string): name is keyof UserConfig {
  return Object.hasOwn(readers, name);
}
