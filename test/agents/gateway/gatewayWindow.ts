import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type ScriptedModel, startScriptedModel } from '../../scriptedModel/server.ts';
import { openWindow, type Window } from '../../ui/window.ts';
import { type LogOnDisk, logsIn } from '../sessionLogs.ts';
import { AgentHome } from './agentHome.ts';
import { type AgentRun, runProgram } from './agentProcess.ts';
import type { AgentProgram } from './agentPrograms.ts';
import { refuseOtherHosts } from './otherHosts.ts';

/** A real agent in the folder of a window, behind the gateway that the window has started. */
export interface AgentInWindow {
  /** Which answers this agent alone. */
  readonly model: ScriptedModel;
  ask(prompt: string): Promise<AgentRun>;
  goOn(prompt: string): Promise<AgentRun>;
  /** Of its sessions, oldest first. */
  logs(): readonly LogOnDisk[];
}

/** A real VS Code on a copy of the sample project, whose gateway goes on to scripted models. */
export class GatewayWindow {
  readonly window: Window;
  /** `host:port` of each other host that an agent asked for. */
  readonly wanted: readonly string[];
  readonly #home: AgentHome;
  readonly #proxies: Readonly<Record<string, string>>;
  readonly #models: ReadonlyMap<AgentProgram, ScriptedModel>;
  readonly #cleanUps: readonly (() => unknown)[];

  private constructor(parts: {
    readonly window: Window;
    readonly home: AgentHome;
    readonly others: Awaited<ReturnType<typeof refuseOtherHosts>>;
    readonly models: ReadonlyMap<AgentProgram, ScriptedModel>;
    readonly cleanUps: readonly (() => unknown)[];
  }) {
    this.window = parts.window;
    this.wanted = parts.others.wanted;
    this.#home = parts.home;
    this.#proxies = parts.others.env;
    this.#models = parts.models;
    this.#cleanUps = parts.cleanUps;
  }

  /** With what each agent keeps in its own home, and where the gateway finds each one's model. */
  static async open(agents: readonly AgentProgram[]): Promise<GatewayWindow> {
    const cleanUps: (() => unknown)[] = [];
    const t = { after: (cleanUp?: unknown) => void cleanUps.push(cleanUp as () => unknown) };
    const home = new AgentHome();
    cleanUps.push(() => home.remove());
    const models = new Map<AgentProgram, ScriptedModel>();
    for (const agent of agents) {
      const model = await startScriptedModel();
      cleanUps.push(() => model.close());
      models.set(agent, model);
      agent.setUp(home);
    }
    const upstreams = Object.fromEntries([...models].map(([{ provider }, { origin }]) => [provider, origin]));
    writeFileSync(join(home.lifecycle, 'config.json'), JSON.stringify({ gateway: { upstreams } }), { mode: 0o600 });
    const others = await refuseOtherHosts(t);
    const environment = { CONTEXT_LIFECYCLE_HOME: home.lifecycle };
    const window = await openWindow({ fixture: 'sample', file: 'AGENTS.md', environment });
    cleanUps.push(() => window.close());
    return new GatewayWindow({ window, home, others, models, cleanUps });
  }

  /** Starts the gateway as a person does: by the command, with these files of its list. */
  async startGateway(files: readonly string[]): Promise<void> {
    const { page } = this.window;
    await beginCommand(page, 'Context Lifecycle: Start Gateway…');
    const list = shownList(page).filter({ hasText: 'Start Gateway: Context Files' });
    for (const file of files) {
      await list
        .locator('.monaco-list-row')
        .filter({ has: page.getByText(file, { exact: true }) })
        .getByRole('checkbox')
        .check();
    }
    await list.getByRole('button', { name: 'OK' }).click();
    await page.locator('.notification-list-item', { hasText: 'The gateway is running on port' }).waitFor();
    await this.window.run('Notifications: Clear All Notifications');
  }

  /** Copies the lines for an agent as a person does, and starts it as they say. */
  async agent(program: AgentProgram, name: string): Promise<AgentInWindow> {
    const model = this.#models.get(program);
    assert.ok(model);
    const { env, args } = copied(await this.#copyEnvironment(name));
    const home = this.#home;
    const own = { PATH: process.env['PATH'], HOME: home.home, CONTEXT_LIFECYCLE_HOME: home.lifecycle };
    const run = (more: readonly string[]): Promise<AgentRun> =>
      runProgram({
        words: [...program.program, ...args, ...more],
        cwd: this.window.workspace,
        env: { ...own, ...this.#proxies, ...program.env(home), ...env },
      });
    return {
      model,
      ask: prompt => run(program.ask(prompt)),
      goOn: prompt => run(program.goOn(prompt)),
      logs: () => logsIn(home.lifecycle).filter(({ header }) => header.agent === program.id),
    };
  }

  async #copyEnvironment(name: string): Promise<string> {
    const { page } = this.window;
    await beginCommand(page, 'Context Lifecycle: Copy Environment for an Agent…');
    await shownList(page)
      .filter({ hasText: 'Copy Environment' })
      .locator('.monaco-list-row')
      .getByText(name, { exact: true })
      .click();
    await page.locator('.notification-list-item', { hasText: 'Copied. Paste it into the shell' }).waitFor();
    const lines = await page.evaluate(() => navigator.clipboard.readText());
    await this.window.run('Notifications: Clear All Notifications');
    return lines;
  }

  async close(): Promise<void> {
    for (const cleanUp of this.#cleanUps.toReversed()) {
      await cleanUp();
    }
  }
}

function shownList(page: Page) {
  return page.locator('.quick-input-widget').filter({ visible: true });
}

/** Takes a command that asks something next. A new window lists these only when it has found out that its folder is trusted. */
async function beginCommand(page: Page, title: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press('F1');
    await shownList(page).locator('input').first().fill(`>${title}`);
    try {
      await shownList(page)
        .locator('.monaco-list-row')
        .getByText(title, { exact: true })
        .first()
        .click({ timeout: 2_000 });
      return;
    } catch (error) {
      if (attempt === 15) {
        throw error;
      }
      await page.keyboard.press('Escape');
    }
  }
}

/** What lines for a POSIX shell say: variables, and the arguments of an agent that needs some. */
function copied(lines: string): { readonly env: Readonly<Record<string, string>>; readonly args: readonly string[] } {
  const all = lines.trimEnd().split('\n');
  const variables = all.flatMap(line => {
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? [];
    return name !== undefined && value !== undefined ? [[name, value] as const] : [];
  });
  const [, ...args] = all.find(line => !line.startsWith('export '))?.split(' ') ?? [];
  return { env: Object.fromEntries(variables), args };
}
