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
import { type AgentCommand, type AgentRun, runProgram } from './agentProcess.ts';
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
  /** It asks other hosts, which nobody lets it reach. */
  readonly asksOthers?: true;
}

type Parts = Pick<AgentHouse, 'agent' | 'model' | 'home' | 'behind' | 'before' | 'gateway'> & {
  readonly options: HouseOptions;
  readonly others: OtherHosts;
};

/** A real agent with a home of its own, a gateway and a scripted model; all of it ends with the test. */
export class AgentHouse {
  readonly agent: AgentProgram;
  readonly model: ScriptedModel;
  readonly home: AgentHome;
  /** Between gateway and model. */
  readonly behind: Hop;
  /** Between agent and gateway. */
  readonly before: Hop;
  gateway: RunningGateway;
  readonly #options: HouseOptions;
  readonly #others: OtherHosts;

  private constructor(parts: Parts) {
    this.agent = parts.agent;
    this.model = parts.model;
    this.home = parts.home;
    this.behind = parts.behind;
    this.before = parts.before;
    this.gateway = parts.gateway;
    this.#options = parts.options;
    this.#others = parts.others;
  }

  static async open(
    t: Pick<TestContext, 'after'>,
    agent: AgentProgram,
    script: readonly Answer[],
    options: HouseOptions = {},
  ): Promise<AgentHouse> {
    const home = new AgentHome();
    const model = await startScriptedModel(script);
    t.after(() => model.close());
    const [behind, before] = [await startHop(t, model.origin), await startHop(t)];
    agent.setUp(home);
    for (const [path, text] of Object.entries(options.files ?? {})) {
      home.write(path, text);
    }
    const others = await refuseOtherHosts(t);
    const gateway = await startFor({ agent, home, behind, before, options });
    const house = new AgentHouse({ agent, model, home, behind, before, gateway, options, others });
    t.after(() => house.gateway.close());
    t.after(() => home.remove());
    // the last one, for what fails ends the others
    t.after(() => assert.deepEqual(options.asksOthers ? [] : others.wanted, [], 'no other host is asked'));
    return house;
  }

  async restart(): Promise<void> {
    await this.gateway.close();
    this.gateway = await startFor({ ...this, options: this.#options });
  }

  ask(prompt: string): Promise<AgentRun> {
    return this.run(this.agent.ask(prompt));
  }

  goOn(prompt: string): Promise<AgentRun> {
    return this.run(this.agent.goOn(prompt));
  }

  /** Through the gateway of this process; `session` is for agents that name none. */
  run(args: readonly string[], session?: string): Promise<AgentRun> {
    return runProgram(this.command(args, session));
  }

  /** How `run` starts the agent. */
  command(args: readonly string[], session = 'tested'): AgentCommand {
    const { agent, home } = this;
    const address = `${this.before.origin}${new URL(this.gateway.address).pathname}`;
    const setup = agentSetup(agent.id, { address, hookAddress: this.gateway.hookAddress }, session);
    return {
      words: [...agent.program, ...setup.args, ...args],
      cwd: home.project,
      env: { ...this.#env(), ...setup.env },
    };
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
    const { agent, home } = this;
    const own = { PATH: process.env['PATH'], HOME: home.home, CONTEXT_LIFECYCLE_HOME: home.lifecycle };
    return { ...own, ...this.#others.env, ...agent.env(home) };
  }
}

async function startFor({
  agent,
  home,
  behind,
  before,
  options,
}: Pick<Parts, 'agent' | 'home' | 'behind' | 'before' | 'options'>): Promise<RunningGateway> {
  const gateway = await startGateway({
    port: 0,
    upstreams: { [agent.provider]: behind.origin },
    folder: home.lifecycle,
    cwd: home.project,
    sources: options.sources ?? [],
    notice: () => {},
    ...options.gateway,
  });
  before.goesTo(gateway.address);
  return gateway;
}
