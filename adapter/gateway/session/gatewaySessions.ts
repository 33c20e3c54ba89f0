import { randomBytes } from 'node:crypto';
import { folders, foldersIn } from '../../../local/folders.ts';
import { readUserConfig } from '../../../local/userConfig.ts';
import { openProbedSession } from '../../openProbedSession.ts';
import type { SessionOptions } from '../../sessionTypes.ts';
import type { GatewayApi, SplitBody } from '../apis/gatewayApi.ts';
import type { AgentIdentity } from './agentIdentity.ts';
import { GatewaySession } from './gatewaySession.ts';
import { type HookSource, HookSources } from './hookSources.ts';
import { HookWaits } from './hookWaits.ts';
import { type Lease, SessionPool, type Timers } from './sessionPool.ts';
import { isShownBy, type WantedSource } from './sessionSources.ts';
import { SourceFiles } from './sourceFiles.ts';

export interface GatewaySessionsOptions
  extends Pick<SessionOptions, 'folder' | 'now' | 'config' | 'counter' | 'policy'> {
  /** Context files that count in every session, in load order. */
  readonly sources: readonly string[];
  /** The agents' working folder, where they name none. */
  readonly cwd: string;
  /** Agents were started with the instructions hook, so that their first requests wait for it. */
  readonly hasHook: boolean;
  readonly timers: Timers;
  /** Sessions that are open at the same time. */
  readonly mostSessions: number;
  /** Milliseconds after which an unused session is closed. */
  readonly idle: number;
  /** Told in a sentence what a person should know. */
  readonly tell: (sentence: string) => void;
}

export interface Asking {
  readonly identity: AgentIdentity;
  readonly api: GatewayApi;
  readonly split: SplitBody;
  readonly signal: AbortSignal;
}

/** The API that an agent speaks unless it is told otherwise: its sessions have the agent's own ids there. */
const OWN_API: Readonly<Record<string, GatewayApi['name']>> = {
  'claude-code': 'anthropic-messages',
  codex: 'openai-responses',
  'gemini-cli': 'gemini',
  opencode: 'openai-chat',
  pi: 'openai-chat',
};

/** Requests after which a file that a tool came upon should have been shown. */
const SHOWN_LATER = 2;

/** Finds, opens and closes the sessions of agents, and knows which context files each of them is to load. */
export class GatewaySessions {
  readonly hooks = new HookSources();
  readonly #options: GatewaySessionsOptions;
  readonly #files: SourceFiles;
  readonly #waits: HookWaits;
  readonly #pool: SessionPool<GatewaySession>;
  /** Of config.json; sessions load them themselves. */
  readonly #userSources: readonly string[];
  readonly #named: readonly string[];
  /** Names of sessions that nobody has named, by agent: one for the life of the gateway. */
  readonly #unnamed = new Map<string, string>();

  constructor(options: GatewaySessionsOptions) {
    this.#options = options;
    this.#files = new SourceFiles(options.cwd);
    const places = options.folder === undefined ? folders() : foldersIn(options.folder);
    this.#userSources = readUserConfig(places.configFile).config.sources;
    this.#named = options.sources.map(path => this.#files.wholePath(path));
    const { mostSessions: most, idle, timers, hasHook } = options;
    this.#waits = new HookWaits({ hooks: this.hooks, hasHook, timers });
    this.#pool = new SessionPool({ most, idle, timers });
  }

  /** Context files of this agent's session, in load order: the person's own before what the agent brings. */
  wanted(identity: AgentIdentity): readonly WantedSource[] {
    const { agent } = identity;
    const shown = (path: string): Pick<WantedSource, 'shownWithin'> =>
      isShownBy(agent, path) ? { shownWithin: 1 } : {};
    const hooked = this.#hooked(identity)?.sources ?? [];
    // by real path: one file may be named twice, and must not be in conflict with itself
    const wanted = new Map<string, WantedSource>();
    const add = (path: string, more: Partial<WantedSource>): void => {
      const real = this.#files.realPath(path);
      const before = wanted.get(real) ?? { path, names: new Set([real]), required: false, ...shown(path) };
      wanted.set(real, { ...before, names: new Set([...before.names, path]), ...more });
    };
    const hook = ({ path, atStart }: HookSource): void => add(path, { shownWithin: atStart ? 1 : SHOWN_LATER });
    for (const path of this.#userSources) {
      add(path, {});
    }
    hooked.filter(({ ofUser }) => ofUser).forEach(hook);
    for (const path of this.#named) {
      add(path, { required: true });
    }
    hooked.filter(({ ofUser }) => !ofUser).forEach(hook);
    return [...wanted.values()];
  }

  pathsOf(identity: AgentIdentity): readonly string[] {
    return this.wanted(identity).flatMap(({ names }) => [...names]);
  }

  /** The session of a call, which stays open until it is released. Rejects where it cannot be opened. */
  take(asking: Asking): Promise<Lease<GatewaySession>> {
    const { agent } = asking.identity;
    const sessionId = this.#sessionId(asking);
    return this.#pool.take(JSON.stringify([agent, sessionId]), () => this.#open(asking, sessionId));
  }

  close(): Promise<void> {
    return this.#pool.close('the gateway was stopped');
  }

  async #open({ identity, api, split, signal }: Asking, sessionId: string): Promise<GatewaySession> {
    const { folder, now, config, counter, policy, cwd, tell } = this.#options;
    const { agent, agentVersion, session, parent } = identity;
    const own = parent ?? session;
    if (agent === 'claude-code' && own !== undefined) {
      await this.#waits.before({ session: own, split, named: this.pathsOf(identity), signal });
    }
    const hooked = this.#hooked(identity);
    const opened = await openProbedSession(
      {
        agent,
        sessionId,
        cwd: hooked?.cwd ?? cwd,
        format: api.format,
        reportsEnds: true,
        hasHistory: split.messages.some(message => api.format.describe(message).role === 'assistant'),
        ...(agentVersion !== undefined && { agentVersion }),
        ...(session !== undefined && { hostSession: session }),
        ...(parent !== undefined && { parent: this.#idIn(agent, parent, api) }),
        ...(hooked?.transcript !== undefined && parent === undefined && { transcript: hooked.transcript }),
        ...(folder !== undefined && { folder }),
        ...(now && { now }),
        ...(config && { config }),
        ...(counter && { counter }),
        ...(policy && { policy }),
      },
      {},
    );
    return new GatewaySession({ session: opened, api, agent, files: this.#files, tell, isChild: parent !== undefined });
  }

  #hooked({ session, parent }: AgentIdentity): ReturnType<HookSources['of']> {
    const own = parent ?? session;
    return own === undefined ? undefined : this.hooks.of(own);
  }

  #sessionId({ identity: { agent, session }, api }: Asking): string {
    return session === undefined ? this.#unnamedId(agent) : this.#idIn(agent, session, api);
  }

  /** A log holds messages of one form: the same id by another API is another session. */
  #idIn(agent: string, session: string, { name }: GatewayApi): string {
    const own = OWN_API[agent] ?? name;
    return own === name ? session : `${session}@${name}`;
  }

  #unnamedId(agent: string): string {
    const known = this.#unnamed.get(agent) ?? randomBytes(6).toString('hex');
    this.#unnamed.set(agent, known);
    return known;
  }
}
