import { dirname } from 'node:path';
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { readEvent } from '../protocol/log/readEvent.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import type { Params, Result } from '../protocol/wire/messages.ts';
import { type FoundAnnouncement, listAnnouncements } from './announcements.ts';
import { machineTimers, type Timers } from './wire/timers.ts';
import { versionSentence } from './wire/versionSentence.ts';
import { type LinkEnd, WatcherLink } from './wire/watcherLink.ts';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** It is tried again by itself. */
  | { readonly kind: 'lost'; readonly sentence: string; readonly retryMilliseconds: number }
  /** The session is over, or can't be watched; nothing is tried again. `refused`: this version can't speak with what answers. */
  | { readonly kind: 'ended'; readonly sentence: string; readonly refused?: true };

/** What a connection begins with. */
export interface Attachment extends Result<'attach'> {
  /**
   * Forget what was known, which was of another session or too old: begin with `snapshot`, or with the initial state where there is
   * none. Otherwise the events that come follow those that are known.
   */
  readonly reset: boolean;
}

/** Called one after the other, never from within a method. What `attached` and `events` throw ends the connection with that sentence. */
export interface ConnectionCallbacks {
  state(state: ConnectionState): void;
  attached(attachment: Attachment): void;
  /** Without content, in order and without gaps or repetitions, from `Attachment.nextSeq` on. */
  events(events: readonly LogEvent[]): void;
}

export interface ConnectionOptions {
  /** What the watcher has from earlier: it gets what follows, where that is still possible. */
  readonly known?: NonNullable<Params<'attach'>['known']>;
  /**
   * Where to connect again after a loss. Absent: to the newest announcement of the same session in the same folder, for an agent that
   * was started again has another socket.
   */
  readonly find?: (last: FoundAnnouncement) => FoundAnnouncement;
  readonly timers?: Timers;
  /** From 0 to less than 1; spreads the retries of many watchers. */
  readonly random?: () => number;
}

/** A request as the log gives it back. */
export interface ReadRequest {
  readonly text: string;
  /** The one that was logged when the request was sealed. */
  readonly hash: string;
  /** `hashes`: the text holds hashes where its content would be. */
  readonly content: 'full' | 'hashes';
}

const FIRST_RETRY_MILLISECONDS = 250;
const LONGEST_RETRY_MILLISECONDS = 30_000;
/** A connection that has lasted so long belongs to no storm: after it, retries begin with short waits again. */
const STEADY_MILLISECONDS = 10_000;
/** Characters of one request that are put together: no model takes as many, but a host may say anything. */
const LONGEST_REQUEST = 100_000_000;
/** A host gives a million characters at once; one that gives crumbs would be asked for ever. */
const MOST_PIECES = 2_000;

/** Watches a session, and goes on watching it when the connection or the agent goes away and comes back. */
export function connectToSession(
  announcement: FoundAnnouncement,
  callbacks: ConnectionCallbacks,
  options: ConnectionOptions = {},
): SessionConnection {
  return new SessionConnection(announcement, callbacks, options);
}

export class SessionConnection {
  readonly #callbacks: ConnectionCallbacks;
  readonly #options: ConnectionOptions;
  readonly #timers: Timers;
  #announcement: FoundAnnouncement;
  #known: Params<'attach'>['known'];
  /** When the log that is known was begun; absent before the first attachment. */
  #created: number | undefined;
  #link: WatcherLink | undefined;
  #cancelRetry: (() => void) | undefined;
  #cancelSteady: (() => void) | undefined;
  #retries = 0;
  /** Why there is no answer to a question; absent while connected. */
  #unavailable: string | undefined = 'The session is not connected yet.';
  #over = false;

  constructor(announcement: FoundAnnouncement, callbacks: ConnectionCallbacks, options: ConnectionOptions) {
    this.#announcement = announcement;
    this.#callbacks = callbacks;
    this.#options = options;
    this.#timers = options.timers ?? machineTimers({ background: false });
    this.#known = options.known;
    this.#cancelRetry = this.#timers.after(0, () => this.#connect());
  }

  /** The one that is, or was last, connected to. */
  get announcement(): FoundAnnouncement {
    return this.#announcement;
  }

  /** Does not wait for the next attempt: something has changed in the folder of announcements. Nothing happens while connected. */
  retry(): void {
    if (this.#link === undefined && !this.#over) {
      this.#cancelRetry?.();
      this.#cancelRetry = this.#timers.after(0, () => this.#connect());
    }
  }

  /** The exact request, put together from its pieces. Rejects with a sentence, as all questions do. */
  async readRequest(requestSequence: number): Promise<ReadRequest> {
    const link = this.#connected();
    const pieces: string[] = [];
    let offset = 0;
    for (;;) {
      const { piece, length, hash, content } = await link.ask('request', { requestSequence, offset });
      if (length > LONGEST_REQUEST) {
        throw new Error(`The session says that request ${requestSequence} has ${length} characters: too many to read.`);
      }
      pieces.push(piece);
      offset += piece.length;
      if (offset === length) {
        return { text: pieces.join(''), hash, content };
      }
      if (offset > length || piece === '' || pieces.length === MOST_PIECES) {
        throw new Error(`The session gave request ${requestSequence} in pieces that do not fit together.`);
      }
    }
  }

  /**
   * Events of the past, without content, from `from` and before `to`; fewer where there are fewer. Rejects with `CorruptLogError` at
   * one that cannot be read.
   */
  async history(from: number, to: number): Promise<readonly LogEvent[]> {
    const link = this.#connected();
    const all: LogEvent[] = [];
    for (let next = from; next < to; ) {
      const { events } = await link.ask('history', { from: next, to });
      if (events.length === 0) {
        break;
      }
      for (const event of events) {
        all.push(readEvent(event, next++));
      }
    }
    return all;
  }

  /** What discarding a block would cost; null for a block that is not active. */
  async whatIf(blockId: string): Promise<Result<'whatIf'>['price']> {
    return (await this.#connected().ask('whatIf', { blockId })).price;
  }

  /** A discard that is lost on the way is not sent again: the events say what has become of it. */
  async discard(blockId: string): Promise<Result<'discard'>['outcome']> {
    return (await this.#connected().ask('discard', { blockId })).outcome;
  }

  /** The first tier's texts as they hold now, which no event brings. */
  async tier1(): Promise<Result<'tier1'>> {
    try {
      return await this.#connected().ask('tier1', {});
    } catch (error) {
      if (error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound) {
        // An adapter of before the layer.
        return { budget: false, constraints: [] };
      }
      throw error;
    }
  }

  /** Without a value the line is taken out. One that is lost on the way is not sent again: the events say what has become of it. */
  async updateTier1(id: string, value?: string): Promise<Result<'updateTier1'>['outcome']> {
    const params = { id, ...(value !== undefined && { value }) };
    return (await this.#connected().ask('updateTier1', params)).outcome;
  }

  /** What a compression would cost, before one is due; null where it would change nothing. */
  async whatIfCompressed(): Promise<Result<'whatIfCompressed'>['whatIf']> {
    return (await this.#connected().ask('whatIfCompressed', {})).whatIf;
  }

  /** Writes the updates of the first tier into the prefix with the next request. */
  async rebasePrefix(): Promise<Result<'rebasePrefix'>['outcome']> {
    return (await this.#connected().ask('rebasePrefix', {})).outcome;
  }

  /** No callback is called any more. */
  close(): void {
    this.#over = true;
    this.#unavailable = 'The connection to the session was closed.';
    this.#cancelRetry?.();
    this.#cancelSteady?.();
    this.#link?.close();
    this.#link = undefined;
  }

  #connected(): WatcherLink {
    if (this.#link === undefined || this.#unavailable !== undefined) {
      throw new Error(this.#unavailable);
    }
    return this.#link;
  }

  #connect(): void {
    this.#cancelRetry = undefined;
    if (this.#retries > 0) {
      this.#announcement = (this.#options.find ?? newestOfSameSession)(this.#announcement);
    }
    const { wireVersion, address, token } = this.#announcement;
    const otherVersion = versionSentence(wireVersion);
    if (otherVersion !== undefined) {
      this.#closed({ sentence: otherVersion, final: true, refused: true });
      return;
    }
    this.#callbacks.state({ kind: 'connecting' });
    if (this.#over) {
      return;
    }
    // Each link has its own listener, and one that was given up calls it no more: nothing old gets in.
    this.#link = new WatcherLink(
      { address, token, known: this.#known, timers: this.#timers },
      {
        attached: result => this.#attached(result),
        events: events => this.#events(events),
        closed: end => this.#closed(end),
      },
    );
  }

  #attached(result: Result<'attach'>): void {
    const { session, nextSeq } = this.#known ?? {};
    const reset = session !== result.header.id || nextSeq !== result.nextSeq || result.snapshot !== undefined;
    if (!reset && this.#created !== undefined && this.#created !== result.header.created) {
      this.#beginAnew();
      return;
    }
    this.#created = result.header.created;
    this.#cancelSteady = this.#timers.after(STEADY_MILLISECONDS, () => {
      this.#retries = 0;
    });
    this.#unavailable = undefined;
    this.#callbacks.state({ kind: 'connected' });
    if (this.#over) {
      return;
    }
    this.#callbacks.attached({ ...result, reset });
    this.#known = { session: result.header.id, nextSeq: result.nextSeq };
  }

  /** The session has another log than the one of which events are known, so what follows in it does not follow those. */
  #beginAnew(): void {
    this.#known = undefined;
    this.#link?.close();
    this.#closed({ sentence: 'The session goes on in another log, which is read from its start.', final: false });
  }

  #events(events: readonly LogEvent[]): void {
    this.#callbacks.events(events);
    if (this.#known) {
      this.#known = { ...this.#known, nextSeq: this.#known.nextSeq + events.length };
    }
  }

  #closed({ sentence, final, refused }: LinkEnd): void {
    this.#link = undefined;
    this.#cancelSteady?.();
    this.#unavailable = sentence;
    if (final) {
      this.#over = true;
      this.#callbacks.state({ kind: 'ended', sentence, ...(refused && { refused }) });
      return;
    }
    const retryMilliseconds = this.#delay();
    this.#retries += 1;
    this.#cancelRetry = this.#timers.after(retryMilliseconds, () => this.#connect());
    this.#callbacks.state({ kind: 'lost', sentence, retryMilliseconds });
  }

  /** Doubles up to half a minute; between half of that and the whole, by chance. */
  #delay(): number {
    const longest = Math.min(LONGEST_RETRY_MILLISECONDS, FIRST_RETRY_MILLISECONDS * 2 ** this.#retries);
    const random = this.#options.random ?? Math.random;
    return Math.round(longest * (0.5 + random() / 2));
  }
}

function newestOfSameSession(last: FoundAnnouncement): FoundAnnouncement {
  return listAnnouncements(dirname(last.file)).found.find(({ session }) => session === last.session) ?? last;
}
