import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Session, SessionOptions } from '../../sessionTypes.ts';
import type { InstructionPlaces } from './instructionFiles.ts';
import type { OpencodeInput, OpencodeSessionInfo } from './opencodeApi.ts';
import { opencodeFormat } from './opencodeFormat.ts';
import { OpencodeSession } from './opencodeSession.ts';
import type { Tell } from './opencodeTeller.ts';
import { ShownSources } from './shownSources.ts';

/** Opens the session that obeys and logs; tests give their own. */
export type OpenSession = (options: SessionOptions) => Promise<Session>;

/** How many logs a process of opencode keeps open; a session that is needed again goes on with its log. */
const MOST_OPEN = 16;

/** The sessions of one process of opencode, each with its own log; a sub-agent's is the child of the one that started it. */
export class OpencodeSessions {
  readonly #input: OpencodeInput;
  readonly #openSession: OpenSession;
  readonly #tell: Tell;
  readonly #env: NodeJS.ProcessEnv;
  /** In the order of their last use. */
  readonly #open = new Map<string, Promise<OpencodeSession>>();
  readonly #infos = new Map<string, OpencodeSessionInfo>();
  /** From opencode's merged configuration. */
  instructions: readonly string[] = [];

  constructor(input: OpencodeInput, openSession: OpenSession, tell: Tell, env: NodeJS.ProcessEnv) {
    this.#input = input;
    this.#openSession = openSession;
    this.#tell = tell;
    this.#env = env;
  }

  /** What opencode says of a session that it made or changed. */
  heard(info: OpencodeSessionInfo): void {
    this.#infos.set(info.id, info);
  }

  /** One that is open already. */
  find(id: string): Promise<OpencodeSession> | undefined {
    return this.#open.get(id);
  }

  /** Opens it where it is not open; `hasHistory` says whether opencode knows answers of it. Rejects when it cannot be opened. */
  get(id: string, hasHistory: () => Promise<boolean>): Promise<OpencodeSession> {
    const open = this.#open.get(id) ?? this.#start(id, hasHistory);
    this.#open.delete(id);
    this.#open.set(id, open);
    // the next request tries again
    open.catch(() => this.#open.get(id) === open && this.#open.delete(id));
    void this.#closeOldest();
    return open;
  }

  async close(id: string, reason: string): Promise<void> {
    const open = this.#open.get(id);
    this.#open.delete(id);
    this.#infos.delete(id);
    const session = await open?.catch(() => undefined);
    await session?.session.close(reason);
  }

  async closeAll(reason: string): Promise<void> {
    await Promise.all([...this.#open.keys()].map(id => this.close(id, reason)));
  }

  async #start(id: string, hasHistory: () => Promise<boolean>): Promise<OpencodeSession> {
    const { client, directory, worktree } = this.#input;
    const info = this.#infos.get(id) ?? (await client.session.get({ path: { id } })).data;
    const paths = (await client.path.get()).data;
    const parent = info?.parentID;
    const transcript = databaseOf(this.#env);
    let stop: (why: string) => void = () => undefined;
    const session = await this.#openSession({
      agent: 'opencode',
      sessionId: id,
      hostSession: id,
      cwd: directory,
      format: opencodeFormat,
      hasHistory: await hasHistory(),
      pause: why => stop(why),
      ...(info?.version !== undefined && { agentVersion: info.version }),
      ...(parent !== undefined && { parent }),
      ...(transcript !== undefined && { transcript }),
    });
    const home = paths?.home ?? this.#env['HOME'] ?? '';
    const config = paths?.config ?? join(home, '.config', 'opencode');
    const places = (): InstructionPlaces => {
      return { config, home, directory, worktree, instructions: this.instructions, env: this.#env };
    };
    const opened = new OpencodeSession(session, new ShownSources(session, places), this.#tell, parent !== undefined);
    stop = why => opened.stop(why);
    return opened;
  }

  async #closeOldest(): Promise<void> {
    if (this.#open.size <= MOST_OPEN) {
      return;
    }
    for (const [id, open] of this.#open) {
      const session = await open.catch(() => undefined);
      if (session?.isIdle && this.#open.get(id) === open) {
        await this.close(id, 'not used').catch(() => undefined);
        return;
      }
    }
  }
}

/** Where opencode keeps its sessions; absent where it is another place. */
function databaseOf(env: NodeJS.ProcessEnv): string | undefined {
  const data = env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? '', '.local', 'share');
  const file = join(data, 'opencode', 'opencode.db');
  return existsSync(file) ? file : undefined;
}
