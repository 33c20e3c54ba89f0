import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { showNewFile, until, untilCodes } from './kit.ts';
import { serverProcess } from './serverProcess.ts';

/** How long a stopped server is watched; a restart by the client comes within milliseconds of the crash. */
const quietMilliseconds = 2000;

suite('life of the server', () => {
  const otherThan = (id: number) =>
    until('a new server runs', () => (serverProcess() === id ? undefined : serverProcess()));

  test('the restart command starts a new server, which knows the open files', async () => {
    const { uri } = await showNewFile('restarted.md', '<!-- ephemeral -->\n');
    await untilCodes(uri, ['malformed-tag']);
    const before = serverProcess();
    assert.ok(before);
    await vscode.commands.executeCommand('contextLifecycle.restartServer');
    await otherThan(before);
    await untilCodes(uri, ['malformed-tag']);
  });

  test('editor-bugs 54: after the fifth crash the server stays stopped, and the restart command brings it back', async () => {
    const document = await showNewFile('crashes.md', '<!-- ephemeral -->\n');
    await untilCodes(document.uri, ['malformed-tag']);
    for (let crash = 1; crash <= 4; crash++) {
      const running = serverProcess();
      assert.ok(running, `a server runs before crash ${crash}`);
      process.kill(running, 'SIGKILL');
      await otherThan(running);
      // a server that answers has started fully
      const name = `after-crash-${crash}.md`;
      await untilCodes((await showNewFile(name, '<!--ephemeral -->\n')).uri, ['malformed-tag']);
    }
    const last = serverProcess();
    assert.ok(last);
    process.kill(last, 'SIGKILL');
    await staysStopped(last);
    await vscode.commands.executeCommand('contextLifecycle.restartServer');
    assert.ok(serverProcess());
    await untilCodes((await showNewFile('brought-back.md', '<!-- ephemeral -->\n')).uri, ['malformed-tag']);
  });

  test('editor-bugs 54: five servers that are killed while they start are five crashes too', async () => {
    await vscode.commands.executeCommand('contextLifecycle.restartServer');
    let last = serverProcess();
    assert.ok(last);
    process.kill(last, 'SIGKILL');
    for (let crash = 2; crash <= 5; crash++) {
      last = await otherThan(last);
      process.kill(last, 'SIGKILL');
    }
    await staysStopped(last);
    await vscode.commands.executeCommand('contextLifecycle.restartServer');
    await untilCodes((await showNewFile('back-again.md', '<!-- ephemeral -->\n')).uri, ['malformed-tag']);
  });

  async function staysStopped(last: number): Promise<void> {
    await until('the last server is gone', () => (serverProcess() === last ? undefined : true));
    const started = Date.now();
    await until('nothing restarts it', () => {
      assert.equal(serverProcess(), undefined);
      return Date.now() - started > quietMilliseconds ? true : undefined;
    });
  }
});
