import type { JsonObject } from '../../../protocol/request/json.ts';
import type { DemoProject } from '../demoProject.ts';
import { runTool } from '../demoTools.ts';
import { FEATURES, type Feature } from './features.ts';

/** What a scripted tool prints, by its argument. The first line of a test run lets it go after the next answer. */
const OUTPUTS: ReadonlyMap<string, string> = new Map(
  FEATURES.flatMap((feature, index): readonly (readonly [string, string])[] => [
    [`issue ${feature.issue}`, issueText(feature)],
    [sourcePath(feature), sourceText(feature)],
    [testPath(feature), testText(feature)],
    [failingTests(feature), testReport(index, feature)],
    [allTests(feature), testReport(index + 1)],
    [diffCommand(feature), diffText(feature)],
    [
      commitCommand(feature),
      `[next ${commitOf(feature)}] Add ${feature.title} (#${feature.issue})\n 2 files changed\n`,
    ],
  ]),
);

/** Tools of the long session: those of its features, else those of the short one. */
export function runFeatureTool(name: string, args: JsonObject, project: DemoProject): string {
  const key = name === 'read_issue' ? `issue ${Number(args['number'])}` : (args['path'] ?? args['command']);
  const output = name === 'write_file' || typeof key !== 'string' ? undefined : OUTPUTS.get(key);
  return output ?? runTool(name, args, project);
}

export function sourcePath({ field }: Feature): string {
  return `src/fields/${field}.ts`;
}

export function testPath({ field }: Feature): string {
  return `test/fields/${field}.test.ts`;
}

export function failingTests(feature: Feature): string {
  return `npm test -- ${testPath(feature)}`;
}

/** What stands behind the command makes each run another one. */
export function allTests({ field }: Feature): string {
  return `npm test # with ${field}`;
}

export function diffCommand({ field }: Feature): string {
  return `git diff --stat -- '*${field}*'`;
}

export function commitCommand({ title, issue }: Feature): string {
  return `git commit -qm 'Add ${title} (#${issue})' && git log -1 --format=%h`;
}

export function commitOf({ issue }: Feature): string {
  return (issue * 2_654_435_761).toString(16).slice(-7);
}

/** What the model writes into the test. */
export function newTest({ field, title, good, bad }: Feature): string {
  return [
    `test('${title} are kept', async () => {`,
    `  const { status, body } = await post('/todos', { title: 'Call Ana', ${field}: ${good} });`,
    '  assert.equal(status, 201);',
    `  assert.deepEqual(body.${field}, ${good});`,
    `  assert.deepEqual((await get(\`/todos/\${body.id}\`)).${field}, ${good});`,
    '});',
    '',
    `test('${title} that are none are refused', async () => {`,
    `  const { status, body } = await post('/todos', { title: 'Call Ana', ${field}: ${bad} });`,
    '  assert.equal(status, 400);',
    `  assert.equal(body.error, 'The field ${field} is not valid.');`,
    '});',
    '',
  ].join('\n');
}

/** What the model writes into the module. */
export function newSource({ field, type, rule }: Feature): string {
  return [
    `/** ${rule} */`,
    `export function read${nameOf(field)}(body: Readonly<Record<string, unknown>>): ${type} | undefined | Refused {`,
    `  const value = body['${field}'];`,
    '  if (value === undefined) {',
    '    return undefined;',
    '  }',
    `  return is${nameOf(field)}(value) ? value : refused('${field}');`,
    '}',
    '',
    `function is${nameOf(field)}(value: unknown): value is ${type} {`,
    type === 'string[]'
      ? "  return Array.isArray(value) && value.every(item => typeof item === 'string' && PATTERN.test(item));"
      : `  return typeof value === '${type}' && isWithin(value);`,
    '}',
    '',
  ].join('\n');
}

function nameOf(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}

function issueText({ issue, title, field, good, comments: [first, second] }: Feature): string {
  return [
    `# To-dos need ${title} (#${issue})`,
    '',
    `Today a to-do has a title and nothing else, so people write everything into it. I would like ${title}.`,
    `A client would send it like this, and get it back the same way:`,
    '',
    '```json',
    `{ "title": "Call Ana", "${field}": ${good} }`,
    '```',
    '',
    'Clients that send nothing must notice nothing. When the value is wrong I would rather have an error than a guess.',
    '',
    `> ${first}`,
    '>',
    `> ${second}`,
    '',
    'Labels: enhancement, api. Milestone: 2.0. Nobody is assigned.',
    '',
  ].join('\n');
}

/** The module as it is before: it passes its field on without a look at it. */
function sourceText({ field, type, title }: Feature): string {
  return [
    "import type { Refused } from '../refused.ts';",
    "import { refused } from '../refused.ts';",
    "import { isWithin } from './bounds.ts';",
    '',
    `/** Made when the fields were split into files; ${title} are not read yet. */`,
    `export const ${field}Field = {`,
    `  name: '${field}',`,
    `  type: '${type}',`,
    '  isRequired: false,',
    '  isStored: false,',
    '} as const;',
    '',
    `/** What a request says of it; undefined where it says nothing. */`,
    `export function raw${nameOf(field)}(body: unknown): unknown {`,
    "  if (typeof body !== 'object' || body === null) {",
    '    return undefined;',
    '  }',
    `  return (body as Readonly<Record<string, unknown>>)['${field}'];`,
    '}',
    '',
    '/** Nobody calls it until the field is read. */',
    `export function ${field}Problem(): Refused {`,
    `  return refused('${field}');`,
    '}',
    '',
  ].join('\n');
}

function testText({ field }: Feature): string {
  return [
    "import assert from 'node:assert/strict';",
    "import { after, before, test } from 'node:test';",
    "import { startServer } from '../../src/server.ts';",
    "import { get, post } from '../client.ts';",
    '',
    'let stop: () => Promise<void>;',
    '',
    'before(async () => {',
    '  stop = await startServer({ port: 0 });',
    '});',
    '',
    'after(() => stop());',
    '',
    `test('a to-do without ${field} is stored as before', async () => {`,
    "  const { status, body } = await post('/todos', { title: 'Call Ana' });",
    '  assert.equal(status, 201);',
    `  assert.equal('${field}' in body, false);`,
    '});',
    '',
  ].join('\n');
}

/** Those of earlier features pass; those of `failing` do not. */
function testReport(features: number, failing?: Feature): string {
  const names = FEATURES.slice(0, features).flatMap(({ title }) => [
    `${title} are kept`,
    `${title} that are none are refused`,
  ]);
  const failed = failing ? [`${failing.title} are kept`, `${failing.title} that are none are refused`] : [];
  return [
    '<!--ephemeral-->',
    '> node --test',
    ...names.map((name, index) => `ok ${index + 1} - ${name}`),
    ...failed.flatMap((name, index) => [
      `not ok ${names.length + index + 1} - ${name}`,
      '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal',
      `      at TestContext.<anonymous> (${failing ? testPath(failing) : ''}:${21 + index * 8}:10)`,
    ]),
    `# tests ${names.length + failed.length}`,
    `# pass ${names.length}`,
    `# fail ${failed.length}`,
    '',
  ].join('\n');
}

function diffText(feature: Feature): string {
  return [
    ` ${sourcePath(feature)}    | 15 ++++++++++++++-`,
    ` ${testPath(feature)} | 12 ++++++++++++`,
    ' 2 files changed, 26 insertions(+), 1 deletion(-)',
    '',
  ].join('\n');
}
