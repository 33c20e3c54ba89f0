import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import type { SessionConfig } from '../../adapter/sessionTypes.ts';
import { DEFAULT_CONFIG, parseUserConfig, readUserConfig, type UserConfig } from '../../local/userConfig.ts';
import { SOURCE_CLASSES } from '../../protocol/lifecycle/policy.ts';
import { inRepository } from '../../scripts/build/paths.ts';
import { folderOf } from './kit.ts';

const schema: unknown = JSON.parse(readFileSync(inRepository('schemas/config.schema.json'), 'utf8'));
const fitsSchema = new Ajv({ strict: true, strictTypes: false }).compile(schema as object);

const everything: UserConfig = {
  content: 'hashes',
  crossCheck: true,
  announce: false,
  countTokens: false,
  retentionDays: 1.5,
  retentionBytes: 0,
  policy: {
    rules: [
      { class: 'context-file', pattern: '/home/u/*', may: ['define', 'discard'] },
      { class: 'editor', pattern: '*', may: [] },
    ],
  },
  sources: ['/etc/AGENTS.md'],
  gateway: {
    upstreams: { anthropic: 'https://llm.example.org/anthropic', gemini: 'http://[::1]:8080' },
    onFailure: 'pass',
  },
  budget: {
    enabled: true,
    window: 200_000,
    models: [{ model: 'claude-*', window: 1_000_000, inputLimit: 900_000, outputReserve: 64_000 }, { model: 'other' }],
    tier1Blocks: ['house-rules'],
    minReclaim: 10_000,
    overLimit: 'warn',
    interactionUnit: 'turn',
    task: 'Port the parser.',
    constraints: [{ id: 'no-push', text: 'Never push to main.' }],
    identity: 'You review code.',
    outputFormat: 'Plain text.',
    summaries: { command: ['summarize', '--json'], timeoutSeconds: 5 },
  },
};

function read(value: unknown) {
  return parseUserConfig('c.json', typeof value === 'string' ? value : JSON.stringify(value));
}

test('config: every setting is read, is in the schema, and is one that sessions know', () => {
  assert.deepEqual(read({ $schema: 'x', ...everything }), { config: everything, problems: [] });
  assert.ok(fitsSchema({ $schema: 'x', ...everything }), JSON.stringify(fitsSchema.errors));
  // Checked by the compiler: what is read can be handed to a session.
  const forSession: SessionConfig = read({}).config;
  assert.equal(forSession.content, 'full');
  const properties = Object.keys((schema as { properties: object }).properties);
  assert.deepEqual(properties, ['$schema', ...Object.keys(everything)]);
  assert.deepEqual(JSON.stringify(schema).includes(JSON.stringify(SOURCE_CLASSES)), true);
});

test('config: what is not set has its default, which the schema names', () => {
  assert.deepEqual(read({}), { config: DEFAULT_CONFIG, problems: [] });
  const { properties } = schema as { properties: Record<string, { default?: unknown }> };
  for (const [name, value] of Object.entries(DEFAULT_CONFIG)) {
    assert.deepEqual(properties[name]?.default, value, name);
  }
});

test('config: a file that is not there sets nothing', t => {
  assert.deepEqual(readUserConfig(join(folderOf(t), 'config.json')), { config: DEFAULT_CONFIG, problems: [] });
  assert.deepEqual(readUserConfig(join(folderOf(t), 'nowhere', 'config.json')).problems, []);
});

test('config: an unknown setting is named, and hinders no other', () => {
  assert.deepEqual(read('{"contents": 1, "__proto__": {}, "crossCheck": true}'), {
    config: { ...DEFAULT_CONFIG, crossCheck: true },
    problems: ['contents', '__proto__'].map(
      name =>
        `c.json: '${name}' is no setting. The settings are content, crossCheck, announce, countTokens, retentionDays, retentionBytes, policy, sources, gateway, budget.`,
    ),
  });
});

// What is wrong, the sentence, and what counts until it is mended.
const wrong: readonly (readonly [object, string, Partial<UserConfig>])[] = [
  [
    { content: 'none' },
    "'content' must be one of full, hashes. Until it is mended, no content is stored.",
    { content: 'hashes' },
  ],
  [
    { announce: 'no' },
    "'announce' must be true or false. Until it is mended, sessions are not announced.",
    { announce: false },
  ],
  [
    { crossCheck: 1 },
    "'crossCheck' must be true or false. Until it is mended, it counts as not set.",
    { crossCheck: false },
  ],
  [
    { retentionDays: '365' },
    "'retentionDays' must be a number from 0. Until it is mended, no log is removed for its age.",
    { retentionDays: Number.MAX_SAFE_INTEGER },
  ],
  [
    { retentionBytes: -1 },
    "'retentionBytes' must be a number from 0. Until it is mended, no log is removed for its size.",
    { retentionBytes: Number.MAX_SAFE_INTEGER },
  ],
  [{ sources: 'a.md' }, "'sources' must be a list. Until it is mended, it counts as not set.", {}],
  [
    { sources: ['/a', 'b.md'] },
    "'sources[1]' must be a whole path, or one that begins with ~/. Until it is mended, it counts as not set.",
    {},
  ],
  ...(
    [
      [[], "'policy' must be an object with rules"],
      [{}, "'policy.rules' must be a list"],
      [{ rules: [], deny: [] }, "'policy.deny' is unknown there; it may have rules"],
      [{ rules: ['x'] }, "'policy.rules[0]' must be an object with class, pattern, may"],
      [
        { rules: [{ class: 'file', pattern: '*', may: [] }] },
        `'policy.rules[0].class' must be one of ${SOURCE_CLASSES.join(', ')}`,
      ],
      [{ rules: [{ class: 'web', may: [] }] }, "'policy.rules[0].pattern' must be a text that is not empty"],
      [
        { rules: [{ class: 'web', pattern: '*', may: ['all'] }] },
        "'policy.rules[0].may[0]' must be one of define, discard, ephemeral",
      ],
      [
        { rules: [{ class: 'web', pattern: '*', may: [], mayNot: [] }] },
        "'policy.rules[0].mayNot' is unknown there; it may have class, pattern, may",
      ],
    ] as const
  ).map(
    ([policy, sentence]) =>
      [
        { policy },
        `${sentence}. Until it is mended, no source may define or discard anything.`,
        { policy: { rules: [] } },
      ] as const,
  ),
  ...(
    [
      ['https://example.org', "'gateway' must be an object with upstreams, onFailure"],
      [{ upstream: {} }, "'gateway.upstream' is unknown there; it may have upstreams, onFailure"],
      [{ onFailure: 'open' }, "'gateway.onFailure' must be one of refuse, pass"],
      [
        { upstreams: { mistral: 'https://example.org' } },
        "'gateway.upstreams.mistral' is unknown there; it may have anthropic, openai, gemini",
      ],
      [{ upstreams: { openai: '' } }, "'gateway.upstreams.openai' must be a text that is not empty"],
      [
        { upstreams: { openai: 'ftp://example.org' } },
        "'gateway.upstreams.openai' must be an address that begins with https://",
      ],
      [
        { upstreams: { openai: 'http://only-ours.example.org' } },
        "'gateway.upstreams.openai' must begin with https://: over http the credentials would cross the network in clear text",
      ],
    ] as const
  ).map(
    ([gateway, sentence]) =>
      [{ gateway }, `${sentence}. Until it is mended, no gateway starts.`, { gateway: undefined }] as const,
  ),
  ...(
    [
      [
        true,
        'must be an object with enabled, window, models, tier1Blocks, minReclaim, overLimit, interactionUnit, task, constraints, identity, outputFormat, summaries',
        '',
      ],
      [{ enabled: 1 }, 'must be true or false', '.enabled'],
      [{ window: 0 }, 'must be a whole number of tokens from 1', '.window'],
      [{ window: 1.5 }, 'must be a whole number of tokens from 1', '.window'],
      [{ models: [{ window: 1 }] }, 'must be a text that is not empty', '.models[0].model'],
      [
        { models: [{ model: 'm', inputLimit: 'x' }] },
        'must be a whole number of tokens from 1',
        '.models[0].inputLimit',
      ],
      [{ minReclaim: -1 }, 'must be a number from 0', '.minReclaim'],
      [{ overLimit: 'send' }, 'must be one of block, warn', '.overLimit'],
      [{ interactionUnit: 'hour' }, 'must be one of request, turn', '.interactionUnit'],
      [{ constraints: ['Never push.'] }, 'must be an object with id, text', '.constraints[0]'],
      [
        {
          constraints: [
            { id: 'a', text: 'x' },
            { id: 'a', text: 'only-ours' },
          ],
        },
        "has two constraints with the id 'a'",
        '.constraints',
      ],
      [
        { constraints: [{ id: 'objective', text: 'x' }] },
        "must be another word than 'objective', which names no constraint",
        '.constraints[0].id',
      ],
      [{ tier1Blocks: 'plan' }, 'must be a list', '.tier1Blocks'],
      [{ tier1Blocks: Array(1001).fill('plan') }, 'must be a list of at most 1000 items', '.tier1Blocks'],
      [
        { tier1Blocks: ['plan', 'House rules'] },
        'must be the ID of a block: letters from a to z, digits, _ and -',
        '.tier1Blocks[1]',
      ],
      [{ summaries: { command: 'x' } }, 'must be a list', '.summaries.command'],
      [{ summaries: { command: [] } }, 'must name a program', '.summaries.command'],
      [{ summaries: { command: ['a', 'b\0'] } }, 'must not have the character NUL', '.summaries.command[1]'],
      ...[0, -1, 86_401].map(
        timeoutSeconds =>
          [
            { summaries: { command: ['a'], timeoutSeconds } },
            'must be a number above 0 and at most 86400',
            '.summaries.timeoutSeconds',
          ] as const,
      ),
    ] as const
  ).map(
    ([budget, what, place]) =>
      [{ budget }, `'budget${place}' ${what}. Until it is mended, the budget layer is off.`, {}] as const,
  ),
];

/** What a schema cannot say: that a path is whole, that an address is this machine's, that an id is there once. */
const ONLY_OURS = /b\.md|only-ours/;

test('config: a wrong value is named with its place, the careful choice counts, and the schema refuses it too', () => {
  for (const [given, sentence, instead] of wrong) {
    assert.deepEqual(read(given), {
      config: { ...DEFAULT_CONFIG, ...instead },
      problems: [`c.json: ${sentence}`],
    });
    assert.equal(fitsSchema(given), ONLY_OURS.test(JSON.stringify(given)), JSON.stringify(given));
  }
});

test('config: where the whole file cannot be used, the careful choice counts for everything', t => {
  const folder = folderOf(t);
  const file = join(folder, 'config.json');
  const careful =
    'Until it is mended, no content is stored, sessions are not announced, no log is removed for its age, no log is removed for its size, no source may define or discard anything, no gateway starts, the budget layer is off.';
  const refuses = (path: string, reason: RegExp): void => {
    const { config, problems } = readUserConfig(path);
    assert.deepEqual([config.content, config.announce, config.policy], ['hashes', false, { rules: [] }]);
    assert.equal(config.gateway, undefined, 'credentials go nowhere while nobody knows where they should');
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', reason);
    assert.ok(problems[0]?.startsWith(`${path} cannot be used: `) && problems[0].endsWith(`. ${careful}`), problems[0]);
  };
  for (const [text, reason] of [
    ['{"content": ', /it is no JSON \(/],
    ['', /it is no JSON \(/],
    ['[]', /it holds no JSON object/],
    ['null', /it holds no JSON object/],
  ] as const) {
    writeFileSync(file, text, { mode: 0o600 });
    refuses(file, reason);
  }
  writeFileSync(file, '{}');
  chmodSync(file, 0o664);
  refuses(file, /other users may write it; run "chmod go-w" on it/);
  chmodSync(file, 0o644);
  assert.deepEqual(readUserConfig(file).problems, [], 'that others can read it harms nobody');
  truncateSync(file, 1_000_001);
  refuses(file, /it is larger than 1000000 bytes/);
  mkdirSync(join(folder, 'folder'));
  refuses(join(folder, 'folder'), /it is no ordinary file/);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  refuses(join(folder, 'pipe'), /it is no ordinary file/);
  symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
  refuses(join(folder, 'loop'), /ELOOP/);
  if (process.getuid?.() === 0) {
    truncateSync(file, 0);
    chownSync(file, 1234, 1234);
    refuses(file, /it belongs to another user \(number 1234\)/);
  }
});

test('config: a link to settings that are kept elsewhere is followed, and a mark of the encoding is no text', t => {
  const folder = folderOf(t);
  writeFileSync(join(folder, 'kept.json'), '\uFEFF{"crossCheck": true}', { mode: 0o600 });
  symlinkSync(join(folder, 'kept.json'), join(folder, 'config.json'));
  assert.deepEqual(readUserConfig(join(folder, 'config.json')), {
    config: { ...DEFAULT_CONFIG, crossCheck: true },
    problems: [],
  });
});

test('config: ~/ is the home folder', () => {
  assert.deepEqual(read({ sources: ['~/AGENTS.md'] }).config.sources, [join(homedir(), 'AGENTS.md')]);
});

test('config: whatever JSON a file holds, reading it throws nothing, and it complains wherever the schema does', () => {
  const members = fc.dictionary(
    fc.oneof(fc.constantFrom(...Object.keys(everything)), fc.string({ maxLength: 5 })),
    fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(everything))),
  );
  fc.assert(
    fc.property(members, value => {
      const { problems } = read(value);
      if (!fitsSchema(value)) {
        assert.ok(problems.length > 0);
      }
    }),
    { numRuns: 500 },
  );
});
