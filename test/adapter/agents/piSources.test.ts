import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { agentFolder, agentVersion, sessionIdIn } from '../../../adapter/agents/pi/piFiles.ts';
import { piSources } from '../../../adapter/agents/pi/piSources.ts';

const root = mkdtempSync(join(tmpdir(), 'pi-sources-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test("the person's context files and skills load before those of the repository, each group in pi's order", () => {
  const agent = join(root, 'agent');
  const skill = (name: string, scope?: string, folder = 'elsewhere') => ({
    name,
    filePath: write(`${folder}/${name}/SKILL.md`, name),
    ...(scope === undefined ? {} : { sourceInfo: { scope } }),
  });
  const { sources, problems } = piSources(
    {
      contextFiles: [
        { path: join(root, 'repo/AGENTS.md'), content: 'outer' },
        { path: join(agent, 'AGENTS.md'), content: 'mine' },
        { path: join(root, 'repo/inner/AGENTS.md'), content: 'inner' },
      ],
      skills: [skill('project', 'project'), skill('user', 'user'), skill('old', undefined, 'agent/skills')],
    },
    agent,
  );
  assert.deepEqual(
    sources.map(({ text }) => text),
    ['mine', 'user', 'old', 'outer', 'inner', 'project'],
  );
  assert.ok(sources.every(source => source.class === 'context-file'));
  assert.deepEqual(problems, []);
});

test("a folder whose name only begins like pi's is not the person's", () => {
  const agent = join(root, 'agent');
  const { sources } = piSources(
    {
      contextFiles: [
        { path: join(root, 'agent-repo/AGENTS.md'), content: 'theirs' },
        { path: join(agent, 'AGENTS.md'), content: 'mine' },
      ],
    },
    agent,
  );
  assert.deepEqual(
    sources.map(({ text }) => text),
    ['mine', 'theirs'],
  );
});

test('one mark of the encoding is taken off, and a second one is text', () => {
  const filePath = write('bom/SKILL.md', '\ufeff\ufeffskill');
  const { sources } = piSources(
    { contextFiles: [{ path: '/a', content: '\ufefftext' }], skills: [{ name: 's', filePath }] },
    join(root, 'agent'),
  );
  assert.deepEqual(
    sources.map(({ text }) => text),
    ['text', '\ufeffskill'],
  );
});

test('a skill that cannot be read is named, and the others load', () => {
  const { sources, problems } = piSources(
    {
      skills: [
        { name: 'gone', filePath: join(root, 'gone.md') },
        { name: 'here', filePath: write('here.md', 'x') },
      ],
    },
    join(root, 'agent'),
  );
  assert.equal(sources.length, 1);
  assert.match(problems[0] ?? '', /^The skill gone could not be read, so none of its blocks is known: /);
});

test("a session's id is read from its file, whatever is in the file", () => {
  assert.equal(sessionIdIn(write('a.jsonl', '{"type":"session","id":"abc"}\n{"type":"message"}\n')), 'abc');
  for (const text of ['', '[]', '{"id":7}', 'no JSON\n', 'null']) {
    assert.equal(sessionIdIn(write('b.jsonl', text)), undefined, text);
  }
  assert.equal(sessionIdIn(join(root, 'gone.jsonl')), undefined);
});

test("pi's version is that of the package that was started, and nothing else's", () => {
  write('pi/package.json', '{"name":"@somebody/pi-coding-agent","version":"9.9.9"}');
  assert.equal(agentVersion(write('pi/dist/cli.js', '')), '9.9.9');
  write('other/package.json', '{"name":"other","version":"1.0.0"}');
  assert.equal(agentVersion(write('other/cli.js', '')), undefined);
  assert.equal(agentVersion(join(root, 'gone.js')), undefined);
});

test("pi's own folder is where pi looks for it: an empty variable is none, and ~ is the person's home", () => {
  for (const [variable, folder] of [
    [undefined, '/home/ada/.pi/agent'],
    ['', '/home/ada/.pi/agent'],
    ['~', '/home/ada'],
    ['~/agent', '/home/ada/agent'],
    ['~other/agent', resolve('~other/agent')],
    ['/agent', '/agent'],
  ] as const) {
    assert.equal(agentFolder({ PI_CODING_AGENT_DIR: variable }, '/home/ada'), folder);
  }
});
