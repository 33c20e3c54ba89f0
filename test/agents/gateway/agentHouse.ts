import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type GatewayOptions, type RunningGateway, startGateway } from '../../../adapter/gateway/startGateway.ts';
import { listAnnouncements } from '../../../local/announcements.ts';
import { foldersIn } from '../../../local/folders.ts';
import { agentSetup } from '../../../local/gatewayAgents.ts';
import { connectToSession, type SessionConnection } from '../../../local/sessionConnection.ts';
import { inRepository } from '../../../scripts/build/paths.ts';
import type { Answer } from '../../scriptedModel/answer.ts';
import { type ScriptedModel, startScriptedModel } from '../../scriptedModel/server.ts';
import { type LogOnDisk, logsIn } from '../sessionLogs.ts';
import { AgentHome } from './agentHome.ts';
import { type AgentRun, runProgram } from './agentProcess.ts';
import type { AgentProgram } from './agentPrograms.ts';
import { type Hop, startHop } from './hop.ts';
import { type OtherHosts, refuseOtherHosts } from './otherHosts.ts';
import { type Shown, shownIn } from './shownToModel.ts';

const shippedCommandLine = inRepository('dist/cli.js');

export interface HouseOptions {
  /** Of the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Relative to the project. */
  readonly sources?: readonly string[];
  readonly gateway?: Partial<GatewayOptions>;
}

/** A real agent with a home of its own, a gateway and a scripted model; all of it ends with the test. */
export class AgentHouse {
  readonly agent: AgentProgram;
  readonly model: ScriptedModel;
  readonly home: AgentHome;
  /** Between gateway and model. */
  readonly behind: Hop;
  /** Between agent and gateway. */
  readonly before: Hop;
  readonly others: OtherHosts;
  gateway: RunningGateway;
  readonly #options: HouseOptions;

  private constructor(
    parts: Pick<AgentHouse, 'agent' | 'model' | 'home' | 'behind' | 'before' | 'others'>,
    options: HouseOptions,
  ) {
    this.agent = parts.agent;
    this.model = parts.model;
    this.home = parts.home;
    this.behind = parts.behind;
    this.before = parts.before;
    this.others = parts.others;
    this.#options = options;
    this.gateway = { address: '', port: 0, close: async () => {} };
  }

  static async open(
    t: Pick<TestContext, 'after'>,
    agent: AgentProgram,
    script: readonly Answer[],
    options: HouseOptions = {},
  ): Promise<AgentHouse> {
    const home = new AgentHome(t);
    const model = await startScriptedModel(script);
    t.after(() => model.close());
    const behind = await startHop(t, model.origin);
    const before = await startHop(t);
    const others = await refuseOtherHosts(t);
    const house = new AgentHouse({ agent, model, home, behind, before, others }, options);
    agent.setUp(home);
    for (const [path, text] of Object.entries(options.files ?? {})) {
      home.write(path, text);
    }
    await house.start();
    t.after(() => house.gateway.close());
    return house;
  }

  async start(): Promise<void> {
    this.gateway = await startGateway({
      port: 0,
      upstreams: { [this.agent.provider]: this.behind.origin },
      folder: this.home.lifecycle,
      cwd: this.home.project,
      sources: this.#options.sources ?? [],
      notice: () => {},
      ...this.#options.gateway,
    });
    this.before.goesTo(this.gateway.address);
  }

  async restart(): Promise<void> {
    await this.gateway.close();
    await this.start();
  }

  ask(prompt: string): Promise<AgentRun> {
    return this.run(this.agent.ask(prompt));
  }

  goOn(prompt: string): Promise<AgentRun> {
    return this.run(this.agent.goOn(prompt));
  }

  /** Through the gateway of this process; `session` is for agents that name none. */
  run(args: readonly string[], session = 'tested'): Promise<AgentRun> {
    const { agent, home } = this;
    const address = `${this.before.origin}${new URL(this.gateway.address).pathname}`;
    const setup = agentSetup(agent.id, { address, hookAddress: this.gateway.hookAddress }, session);
    return runProgram({
      words: [...agent.program, ...setup.args, ...args],
      cwd: home.project,
      env: { ...this.#env(), ...setup.env },
    });
  }

  /** Through the gateway of the shipped command line: `context-lifecycle gateway run FLAGS -- AGENT ARGS`. */
  runShipped(flags: readonly string[], args: readonly string[]): Promise<AgentRun> {
    const upstream = `${this.agent.provider}=${this.behind.origin}`;
    return this.shipped('gateway', 'run', '--upstream', upstream, ...flags, '--', ...this.agent.program, ...args);
  }

  /** The shipped command line. */
  shipped(...args: readonly string[]): Promise<AgentRun> {
    const words = [process.execPath, shippedCommandLine, ...args];
    return runProgram({ words, cwd: this.home.project, env: this.#env() });
  }

  /** Discards as the panel does: over the socket of the one session that is announced. */
  async discard(blockId: string): Promise<string> {
    const [announced, ...others] = listAnnouncements(foldersIn(this.home.lifecycle).run).found;
    assert.ok(announced && others.length === 0, 'one session is announced');
    const connection = await new Promise<SessionConnection>((resolve, reject) => {
      const opened = connectToSession(announced, {
        state: state => state.kind === 'ended' && reject(new Error(state.sentence)),
        attached: () => resolve(opened),
        events: () => {},
      });
    });
    try {
      return await connection.discard(blockId);
    } finally {
      connection.close();
    }
  }

  /** What the model was shown in each request so far. */
  shown(): readonly Shown[] {
    return this.model.requests.map(shownIn);
  }

  logs(): readonly LogOnDisk[] {
    return logsIn(this.home.lifecycle);
  }

  onlyLog(): LogOnDisk {
    const [log, ...others] = this.logs();
    assert.ok(log && others.length === 0, 'there is one session');
    return log;
  }

  #env(): Readonly<Record<string, string | undefined>> {
    const { agent, home, others } = this;
    const own = { PATH: process.env['PATH'], HOME: home.home, CONTEXT_LIFECYCLE_HOME: home.lifecycle };
    return { ...own, ...others.env, ...agent.env(home) };
  }
}
