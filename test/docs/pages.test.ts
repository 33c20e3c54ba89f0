import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { addCheckCommand } from '../../cli/check.ts';
import { addDemoCommand } from '../../cli/demo.ts';
import { addDiffCommand } from '../../cli/diff.ts';
import { addDiscardCommand } from '../../cli/discard.ts';
import { addDoctorCommand } from '../../cli/doctor.ts';
import { addGatewayCommand } from '../../cli/gateway.ts';
import { addHandoffCommand } from '../../cli/handoff.ts';
import { addLogCommand } from '../../cli/log.ts';
import { addReportCommand } from '../../cli/report.ts';
import { addSessionsCommand } from '../../cli/sessions.ts';
import { addShowCommand } from '../../cli/show.ts';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';
import { parseProjectFile } from '../../server/check/projectFile.ts';
import { readCommandLine } from '../../server/commandLine.ts';
import { anchorOf, fencesOf, PAGES, readPage, root, sectionsOf, tableRows, withoutFences } from './pages.ts';

test('no page of ours holds a live tag or a near miss', () => {
  for (const path of PAGES) {
    const { declarations, problems } = outlineDocument(readPage(path));
    assert.deepEqual(declarations, [], path);
    assert.deepEqual(problems, [], path);
  }
});

test('every link between our pages leads to a file and a heading that exist', () => {
  let count = 0;
  for (const path of PAGES) {
    for (const [, target = ''] of withoutFences(readPage(path)).matchAll(/(?<!!)\[[^\]]+\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) {
        continue;
      }
      const [file = '', anchor] = target.split('#');
      const page = file === '' ? path : normalize(join(dirname(path), file));
      assert.ok(existsSync(join(root, page)), `${path}: ${target}`);
      if (anchor !== undefined) {
        const anchors = sectionsOf(readPage(page)).map(({ title }) => anchorOf(title));
        assert.ok(anchors.includes(anchor), `${path}: ${target}`);
      }
      count++;
    }
  }
  assert.ok(count > 60, `${count} links`);
});

test('every picture on our pages is there', () => {
  const pictures = PAGES.flatMap(path =>
    [...withoutFences(readPage(path)).matchAll(/!\[[^\]]+\]\(([^)\s]+)\)/g)].map(([, target = '']) =>
      join(dirname(path), target),
    ),
  );
  assert.ok(pictures.length > 1);
  assert.deepEqual(
    pictures.filter(picture => !existsSync(join(root, picture))),
    [],
  );
});

test('the command line page has the options of each command', () => {
  const program = new Command();
  const add = [
    addCheckCommand,
    addSessionsCommand,
    addLogCommand,
    addShowCommand,
    addDiffCommand,
    addReportCommand,
    addHandoffCommand,
    addDiscardCommand,
    addDoctorCommand,
    addGatewayCommand,
    addDemoCommand,
  ];
  for (const addTo of add) {
    addTo(program);
  }
  const sections = sectionsOf(readPage('docs/command-line.md'));
  // Each command of a command that has some of its own has a section; those of the gateway share its options.
  const commands = program.commands.flatMap(command =>
    command.options.length > 0
      ? [[command.name(), command] as const]
      : command.commands.map(inner => [`${command.name()} ${inner.name()}`, inner] as const),
  );
  for (const [name, command] of commands) {
    const text = sections.find(({ title }) => title === name)?.text ?? '';
    const documented = tableRows(text)
      .map(([option = '']) => option)
      .filter(option => option.startsWith('`--'));
    assert.deepEqual(
      documented,
      command.options.map(({ flags }) => `\`${flags}\``),
      name,
    );
    for (const format of command.options.find(({ long }) => long === '--format')?.argChoices ?? []) {
      assert.match(text, new RegExp(`\`${format}\`(?: for |: )`), name);
    }
  }
});

test('the page on editors has every flag of the server', () => {
  const help = readCommandLine(['--help']);
  assert.equal(help.kind, 'print');
  const flags = [...help.text.matchAll(/^ {2}(--\S+)/gm)].map(([, flag = '']) => flag);
  assert.ok(flags.length >= 7, flags.join());
  const page = readPage('docs/editors.md');
  assert.deepEqual(
    flags.filter(flag => !page.includes(`\`${flag}\``)),
    [],
  );
});

test('the example of a project file is legal', () => {
  const [example = ''] = fencesOf(readPage('docs/command-line.md'), 'json');
  const { rules, problems } = parseProjectFile(example);
  assert.deepEqual(problems, []);
  assert.deepEqual(Object.keys(rules).sort(), ['exclude', 'severities', 'sources']);
});
