import { isAbsolute } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';

/** A file that an agent says it loaded as instructions. */
export interface HookSource {
  readonly path: string;
  /** Loads of what the person wrote for all projects come before those of a project. */
  readonly rank: number;
  /** It is the person's own, for all projects. */
  readonly ofUser: boolean;
  /** The text stands in the next request already, and not only after a tool has looked at its folder. */
  readonly atStart: boolean;
}

/** What an agent's hooks say of one session. */
export interface HookSession {
  /** In load order. */
  readonly sources: readonly HookSource[];
  /** Labels. */
  readonly cwd?: string;
  readonly transcript?: string;
  /** Counts the messages, so that it is seen when there are more. */
  readonly version: number;
}

const MOST_SESSIONS = 256;
const MOST_SOURCES = 128;
const MOST_BYTES = 65_536;
const LONGEST_PATH = 1_024;

/** `memory_type` of Claude Code's InstructionsLoaded hook, in the order in which they count. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ['Managed', 0],
  ['User', 1],
  ['Project', 2],
  ['Local', 3],
]);
const FIRST_OF_PROJECT = 2;
const LAST_RANK = 4;

/** What was said of sessions by hooks: `POST /HOOKTOKEN/_hook/claude-instructions`, the hook's JSON as it is. */
export class HookSources {
  readonly #sessions = new Map<string, HookSession>();
  readonly #waiting = new Set<() => void>();

  /** Whether any hook has said anything yet. */
  get heard(): boolean {
    return this.#sessions.size > 0;
  }

  /** Takes a message; what is no such message says nothing. */
  take(body: Uint8Array): void {
    const message = messageIn(body);
    const session = message && text(message['session_id']);
    const path = message && pathIn(message['file_path']);
    if (!message || session === undefined || path === undefined || !isAbsolute(path)) {
      return;
    }
    const { sources = [], version = 0, ...before } = this.#sessions.get(session) ?? {};
    const rank = RANKS.get(text(message['memory_type']) ?? '') ?? LAST_RANK;
    const atStart = AT_START.has(text(message['load_reason']) ?? '');
    const isNew = sources.length < MOST_SOURCES && !sources.some(source => source.path === path);
    const cwd = pathIn(message['cwd']);
    const transcript = pathIn(message['transcript_path']);
    this.#sessions.delete(session);
    this.#sessions.set(session, {
      ...before,
      sources: isNew ? inOrder([...sources, { path, rank, ofUser: rank < FIRST_OF_PROJECT, atStart }]) : sources,
      version: version + 1,
      ...(cwd !== undefined && isAbsolute(cwd) && { cwd }),
      ...(transcript !== undefined && { transcript }),
    });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) {
      this.#sessions.delete(oldest);
    }
    for (const wake of [...this.#waiting]) {
      wake();
    }
  }

  of(session: string): HookSession | undefined {
    return this.#sessions.get(session);
  }

  /** Called at each message until the function that it gives is called. */
  onMessage(listener: () => void): () => void {
    this.#waiting.add(listener);
    return () => this.#waiting.delete(listener);
  }
}

const AT_START: ReadonlySet<string> = new Set(['session_start', 'include', 'compact']);

/** Those of equal rank stay in the order in which they came. */
function inOrder(sources: readonly HookSource[]): readonly HookSource[] {
  return sources.toSorted((a, b) => a.rank - b.rank);
}

function messageIn(body: Uint8Array): JsonObject | undefined {
  if (body.length > MOST_BYTES) {
    return undefined;
  }
  try {
    const message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Json;
    return isJsonObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function pathIn(value: Json | undefined): string | undefined {
  const path = text(value);
  return path !== undefined && path.length <= LONGEST_PATH ? path : undefined;
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
