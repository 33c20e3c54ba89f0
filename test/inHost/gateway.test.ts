import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { extensionId, inWorkspace, until } from './kit.ts';

const START = 'contextLifecycle.gateway.start';
const STOP = 'contextLifecycle.gateway.stop';
const COPY = 'contextLifecycle.gateway.copyEnvironment';
const TERMINAL = 'contextLifecycle.gateway.openTerminal';
const ADDRESS = String.raw`http://127\.0\.0\.1:\d+/[0-9a-f]{32}`;

/** The editor's answers for a person, and what that person was asked and told. */
class Person {
  readonly told: string[] = [];
  readonly offered: (readonly vscode.QuickPickItem[])[] = [];
  readonly terminals: { options: vscode.TerminalOptions; typed: [string, boolean | undefined][] }[] = [];
  readonly #originals = [
    vscode.window.showInformationMessage,
    vscode.window.showErrorMessage,
    vscode.window.showQuickPick,
    vscode.window.createTerminal,
  ] as const;

  /** `answers` are for messages, in order; `picks` gives what is chosen of a list. */
  constructor(answers: string[], picks: (items: readonly vscode.QuickPickItem[]) => unknown) {
    const { window } = vscode;
    const tell = async (text: string, ...buttons: string[]) => {
      this.told.push(text);
      return buttons.includes(answers[0] ?? '') ? answers.shift() : undefined;
    };
    window.showInformationMessage = tell as unknown as typeof window.showInformationMessage;
    window.showErrorMessage = tell as unknown as typeof window.showErrorMessage;
    window.showQuickPick = (async (items: readonly vscode.QuickPickItem[]) => {
      this.offered.push(items);
      return picks(items);
    }) as unknown as typeof window.showQuickPick;
    window.createTerminal = ((options: vscode.TerminalOptions) => {
      const terminal = { options, typed: [] as [string, boolean | undefined][] };
      this.terminals.push(terminal);
      return { show() {}, sendText: (line: string, run?: boolean) => terminal.typed.push([line, run]) };
    }) as unknown as typeof window.createTerminal;
  }

  leave(): void {
    const { window } = vscode;
    [window.showInformationMessage, window.showErrorMessage, window.showQuickPick, window.createTerminal] =
      this.#originals;
  }
}

async function asPerson(
  command: string,
  answers: string[],
  picks: (items: readonly vscode.QuickPickItem[]) => unknown = () => undefined,
): Promise<Person> {
  const person = new Person(answers, picks);
  try {
    await vscode.commands.executeCommand(command);
  } finally {
    person.leave();
  }
  return person;
}

const labelled = (label: string) => (items: readonly vscode.QuickPickItem[]) =>
  items.find(item => item.label === label);
const all = (items: readonly vscode.QuickPickItem[]) => items;

suite('the gateway', () => {
  suiteSetup(() => vscode.extensions.getExtension(extensionId)?.activate());
  suiteTeardown(() => vscode.commands.executeCommand(STOP));

  test('while none runs, its commands say so, and offer to start one', async () => {
    for (const command of [STOP, COPY, TERMINAL]) {
      const { told, offered } = await asPerson(command, []);
      assert.deepEqual(told, ['No gateway is running.'], command);
      assert.deepEqual(offered, []);
    }
  });

  test('a person who goes away from the list of context files starts nothing', async () => {
    const { told, offered } = await asPerson(START, []);
    assert.deepEqual(told, []);
    assert.ok(offered[0]?.length);
    assert.deepEqual(
      offered[0].filter(({ picked }) => picked),
      [],
      'no file is trusted by itself',
    );
  });

  test('it starts with the chosen files, gives each agent its environment, and stops', async () => {
    const { told } = await asPerson(START, [], all);
    assert.match(told.join(), /^The gateway is running on port \d+\. Agents that use it obey the tags\.$/);

    await asPerson(COPY, [], labelled('Claude Code'));
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, new RegExp(`^export ANTHROPIC_BASE_URL=${ADDRESS}/anthropic\n`));
    const address = new RegExp(ADDRESS).exec(copied)?.[0] ?? '';
    const answer = await fetch(`${address}x/anthropic/v1/messages`);
    assert.equal(answer.status, 403, 'the gateway listens there');

    const [gemini] = (await asPerson(TERMINAL, [], labelled('Gemini CLI'))).terminals;
    assert.match(
      String(gemini?.options.env?.['GOOGLE_GEMINI_BASE_URL']),
      new RegExp(`^${ADDRESS}/s/[0-9a-f]{16}/gemini$`),
    );
    assert.equal(gemini?.options.isTransient, true, 'its environment is written nowhere');
    assert.deepEqual(gemini.typed, []);

    const [codex] = (await asPerson(TERMINAL, [], labelled('Codex'))).terminals;
    assert.deepEqual(codex?.typed, [[`codex -c openai_base_url=${address}/openai/v1`, false]], 'typed, not run');

    const again = await asPerson(START, [], () => assert.fail('it asks nothing while one runs'));
    assert.match(again.told.join(), /^The gateway is running on port/);

    await asPerson(STOP, []);
    await until('the gateway has gone', async () => {
      const gone = await fetch(address).then(
        () => undefined,
        () => true,
      );
      return gone;
    });
    const { told: after } = await asPerson(STOP, []);
    assert.deepEqual(after, ['No gateway is running.']);
  });

  test('the choice is remembered for the workspace, and a gateway that cannot start says why', async () => {
    const gone = inWorkspace('AGENTS.md');
    const { offered } = await asPerson(START, []);
    const picked = offered[0]?.filter(item => item.picked).map(({ label }) => label);
    assert.ok(picked?.includes('AGENTS.md'), picked?.join());
    const bytes = await vscode.workspace.fs.readFile(gone);
    try {
      const { told } = await asPerson(START, [], async items => {
        await vscode.workspace.fs.delete(gone);
        return items;
      });
      assert.match(
        told.join(),
        /^The gateway does not run: The source .*AGENTS\.md cannot be loaded: There is no such file/,
      );
    } finally {
      await vscode.workspace.fs.writeFile(gone, bytes);
    }
  });
});
