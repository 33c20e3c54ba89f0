import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  BUDGET_COMMANDS,
  COMMANDS,
  CONTEXT_KEYS,
  DECLARED_BLOCKS_VIEW,
  GATEWAY_COMMANDS,
  MARK_COMMANDS,
  SESSION_COMMANDS,
  SESSION_VIEWS,
  VIEW_COMMANDS,
} from '../../client/names.ts';
import { parseDocument } from '../../protocol/lifecycle/document.ts';
import { LANGUAGE_IDS } from '../../protocol/lifecycle/documentScope.ts';
import { product } from '../../protocol/product.ts';
import { inRepository } from '../../scripts/build/paths.ts';
import { PROJECT_FILE } from '../../server/check/projectFile.ts';
import { clientText, manifest, manifestText, nls, readText, resolved } from './manifest.ts';

const { contributes } = manifest;
const everyCommand: readonly string[] = [
  ...Object.values(COMMANDS),
  ...Object.values(SESSION_COMMANDS),
  ...Object.values(GATEWAY_COMMANDS),
  ...Object.values(MARK_COMMANDS),
  ...Object.values(VIEW_COMMANDS),
  ...Object.values(BUDGET_COMMANDS),
];
const everyView: readonly string[] = [...Object.values(SESSION_VIEWS), DECLARED_BLOCKS_VIEW];
/** Of the views' commands those that mean nothing without a row. */
const forRows = [VIEW_COMMANDS.copySessionBlockId, VIEW_COMMANDS.showBlockInRequest, VIEW_COMMANDS.compareWithPrevious];
const menuItems = Object.values(contributes.menus).flat();
const steps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);

test('every command of the manifest exists in code, and the reverse', () => {
  const contributed = contributes.commands.map(({ command }) => command);
  assert.deepEqual(contributed.toSorted(), everyCommand.toSorted());
});

test('every command has a category and a title without it', () => {
  for (const { command, title, category } of contributes.commands) {
    assert.equal(resolved(category), product.displayName, command);
    assert.ok(resolved(title).length > 0 && !resolved(title).includes(product.displayName), command);
  }
});

test('menus, welcome texts and the walkthrough lead to commands that exist', () => {
  const known = new Set(everyCommand);
  for (const { command } of menuItems) {
    assert.ok(known.has(command), command);
  }
  const texts = Object.values(nls).join('\n');
  const links = [...texts.matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command ?? '');
  assert.ok(links.length >= 5);
  for (const link of links) {
    assert.ok(known.has(link) || link.startsWith('workbench.'), link);
  }
});

test('commands that need a row are hidden from the palette', () => {
  const hidden = contributes.menus['commandPalette']!.filter(({ when }) => when === 'false').map(
    ({ command }) => command,
  );
  const needRows = [COMMANDS.copyBlockId, MARK_COMMANDS.diffActiveContent, COMMANDS.goToWinner, ...forRows];
  assert.deepEqual(hidden.toSorted(), needRows.toSorted());
});

test('commands about sessions are hidden where no session can be looked at: in a browser without an extension host of Node', () => {
  const palette = contributes.menus['commandPalette']!;
  const shown = Object.values(VIEW_COMMANDS).filter(command => !new Set<string>(forRows).has(command));
  for (const command of [...Object.values(SESSION_COMMANDS), ...shown, ...Object.values(BUDGET_COMMANDS)]) {
    assert.equal(palette.find(item => item.command === command)?.when, '!isWeb || remoteName', command);
  }
});

test('commands of the gateway are hidden where none can be started: in a browser, in a workspace that is not trusted, or while one runs', () => {
  const palette = contributes.menus['commandPalette']!;
  const when = (command: string): string => palette.find(item => item.command === command)?.when ?? '';
  const possible = '(!isWeb || remoteName) && isWorkspaceTrusted';
  assert.equal(when(GATEWAY_COMMANDS.gatewayStart), `${possible} && !contextLifecycle.gateway.state`);
  assert.equal(when(GATEWAY_COMMANDS.gatewayStop), `${possible} && contextLifecycle.gateway.state`);
  // These two offer to start one.
  assert.equal(when(GATEWAY_COMMANDS.gatewayCopyEnvironment), possible);
  assert.equal(when(GATEWAY_COMMANDS.gatewayOpenTerminal), possible);
});

test('the views of the manifest are those that the code makes, in the container of the manifest', () => {
  const [container] = contributes.viewsContainers.activitybar;
  assert.equal(contributes.viewsContainers.activitybar.length, 1);
  const views = contributes.views[container!.id]!.map(({ id }) => id);
  assert.deepEqual(views.toSorted(), everyView.toSorted());
  assert.deepEqual([...new Set(contributes.viewsWelcome.map(({ view }) => view))].toSorted(), everyView.toSorted());
});

test('where no session was ever seen, the container shows declared blocks and how to get a session, and nothing else', () => {
  const shownWhen = new Map(contributes.views['contextLifecycle']!.map(({ id, when }) => [id, when]));
  assert.equal(shownWhen.get(DECLARED_BLOCKS_VIEW), undefined);
  assert.equal(shownWhen.get(SESSION_VIEWS.blocks), 'contextLifecycle.session.state');
  for (const view of Object.values(SESSION_VIEWS).filter(each => each !== SESSION_VIEWS.blocks)) {
    assert.equal(shownWhen.get(view), 'contextLifecycle.session.state =~ /^(connected|lost|none)$/');
  }
});

test('a row has at most two buttons', () => {
  const rows = contributes.menus['view/item/context']!.filter(({ group }) => group?.startsWith('inline'));
  const views = rows.map(({ when }) => /view == ([\w.]+)/.exec(when)?.[1]);
  for (const view of views) {
    assert.ok(view !== undefined && views.filter(other => other === view).length <= 2, view);
  }
});

test('every context key of the manifest is set in code, and the reverse', () => {
  const clauses = [...menuItems, ...contributes.viewsWelcome].map(({ when }) => when);
  const events = steps.flatMap(({ completionEvents }) => completionEvents);
  const named = [...clauses, ...events.filter(event => event.startsWith('onContext:'))]
    .join(' ')
    .match(/contextLifecycle\.[\w.]+/g)!
    .filter(name => !everyView.includes(name));
  assert.deepEqual([...new Set(named)].toSorted(), [...CONTEXT_KEYS].toSorted());
  for (const key of CONTEXT_KEYS) {
    assert.match(clientText, new RegExp(`setContextKey\\('${key}'`));
  }
});

test('values that when-clauses compare with are values that the code sets', () => {
  const clauses = contributes.viewsWelcome.map(({ when }) => when).join(' ');
  const compared = [...clauses.matchAll(/contextLifecycle\.[\w.]+ [!=]= (\w+)/g)].map(([, value]) => value);
  assert.ok(compared.length > 0);
  for (const value of compared) {
    assert.match(clientText, new RegExp(`'${value}'`));
  }
});

test('every text key of the manifest exists, and every text is used', () => {
  const used = [...manifestText.matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key ?? '');
  assert.deepEqual([...new Set(used)].toSorted(), Object.keys(nls).toSorted());
});

test('every welcome text and every step has words', () => {
  for (const text of [
    ...contributes.viewsWelcome.map(({ contents }) => contents),
    ...steps.map(step => step.description),
  ]) {
    assert.ok(resolved(text).length > 20, text);
  }
});

test('the extension wakes up for our languages, and in a folder that has a context file at its root, and for nothing else', () => {
  const names = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md', PROJECT_FILE];
  assert.deepEqual(manifest.activationEvents, [
    ...LANGUAGE_IDS.map(id => `onLanguage:${id}`),
    // A name without a star is looked for where it stands; a glob would search the whole folder at each start.
    ...names.map(name => `workspaceContains:${name}`),
  ]);
  for (const { when } of menuItems.filter(({ when }) => when.includes('editorLangId'))) {
    assert.ok(when.includes(`editorLangId =~ /^(${LANGUAGE_IDS.join('|')})$/`), when);
  }
});

test('editor-bugs 46: the language of our own takes no file extension, so *.context.md stays Markdown', () => {
  assert.deepEqual(
    contributes.languages.map(({ id, extensions }) => [id, extensions]),
    [['context-markdown', undefined]],
  );
  assert.equal(contributes.grammars.find(({ language }) => language)?.scopeName, 'text.html.markdown.context');
});

test('every file that the manifest names exists', () => {
  const files = [
    manifest.icon,
    ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
    ...Object.values(contributes.views).flatMap(views => views.map(({ icon }) => icon)),
    ...contributes.languages.map(({ configuration }) => configuration),
    ...contributes.grammars.map(({ path }) => path),
    ...contributes.snippets.map(({ path }) => path),
    ...steps.map(({ media }) => media.svg),
  ];
  assert.deepEqual(
    files.filter(file => !existsSync(inRepository(file))),
    [],
  );
});

test('the icon is a PNG of 128 pixels or more', () => {
  const png = readFileSync(inRepository(manifest.icon));
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  assert.ok(width >= 128 && width === height);
});

test('pictures take every colour from the theme, so that they work in all of them', () => {
  for (const { media } of steps) {
    const svg = readText(media.svg);
    const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour ?? '');
    assert.ok(colours.length > 5, media.svg);
    assert.deepEqual(
      colours.filter(colour => !/^(none|var\(--vscode-[^#]*)$/.test(colour)),
      [],
      media.svg,
    );
    assert.doesNotMatch(svg, /<script|<style|href=|url\(/);
  }
  assert.doesNotMatch(readText('media/view.svg'), /#[0-9a-f]{3}|rgb/i);
});

test('each snippet has one prefix: with two, Surround With lists it twice', () => {
  for (const { path } of contributes.snippets) {
    const snippets = JSON.parse(readText(path)) as Readonly<Record<string, { readonly prefix: unknown }>>;
    assert.deepEqual(
      Object.values(snippets).map(({ prefix }) => typeof prefix),
      ['string', 'string', 'string'],
    );
  }
});

test('the snippets make exact tags', () => {
  for (const { path } of contributes.snippets) {
    const snippets = JSON.parse(readText(path)) as Readonly<Record<string, { readonly body: readonly string[] }>>;
    const texts = Object.values(snippets).map(({ body }) =>
      body
        .join('\n')
        .replaceAll(/\$\{1:([\w-]+)\}/g, '$1')
        .replaceAll('$1', 'block-id')
        .replaceAll(/\$\{?\w+\}?/g, ''),
    );
    const documents = texts.map(text => parseDocument(text));
    assert.deepEqual(
      documents.flatMap(({ problems }) => problems),
      [],
    );
    assert.deepEqual(
      documents.map(({ blocks, discards, ephemeral }) => [blocks.length, discards.length, ephemeral]),
      [
        [1, 0, false],
        [0, 0, true],
        [0, 1, false],
      ],
    );
  }
});

test('the walkthrough has four steps, each with its own sign of completion', () => {
  assert.equal(contributes.walkthroughs.length, 1);
  assert.equal(steps.length, 4);
  const events = steps.flatMap(({ completionEvents }) => completionEvents);
  // A session may be connected now, or have been when the walkthrough was opened.
  assert.deepEqual(steps.at(-1)?.completionEvents, [
    'onContext:contextLifecycle.session.state == connected',
    'onContext:contextLifecycle.session.read',
  ]);
  assert.deepEqual([events.length, new Set(events).size], [5, 5]);
});

test('both entries end in .cjs: the hosts take any other entry of a module package for an ES module', () => {
  assert.equal(manifest.type, 'module');
  assert.deepEqual([manifest.main, manifest.browser], ['./dist/client.cjs', './dist/client.web.cjs']);
});

test('what the store shows is complete and honest', () => {
  assert.ok(manifest.keywords.length <= 5);
  assert.deepEqual(manifest.categories, ['Programming Languages', 'Linters']);
  assert.equal(manifest.pricing, 'Free');
  assert.equal(manifest.license, 'MIT');
  assert.equal(manifest.homepage, `${product.repository}#readme`);
  assert.equal(manifest.bugs.url, `${product.repository}/issues`);
  assert.equal(manifest.qna, `${product.repository}/discussions`);
  assert.deepEqual(manifest.extensionKind, ['workspace']);
});

test('no telemetry: the client names no telemetry interface', () => {
  assert.doesNotMatch(clientText, /telemetry/i);
});
