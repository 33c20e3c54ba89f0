import type { FoundAnnouncement } from '../../local/announcements.ts';
import type { Attachment, ConnectionState } from '../../local/sessionConnection.ts';
import type { Policy } from '../../protocol/lifecycle/policy.ts';
import { initialState, reduce } from '../../protocol/log/reduce.ts';
import { LOG_VERSION, type LogHeader, type Price } from '../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import { stateFromJson } from '../../protocol/log/stateJson.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { AttachedOptions, Connection } from './attachedOptions.ts';
import { readLogEvents } from './logEvents.ts';
import { OwnDiscards } from './ownDiscards.ts';
import { OwnLog } from './ownLog.ts';
import { PastStates, requestOf } from './pastStates.ts';
import type {
  CompressionWhatIf,
  DiscardOutcome,
  PanelSession,
  RebaseOutcome,
  RequestText,
  SessionLink,
  Tier1Texts,
  UpdateOutcome,
} from './sessionModel.ts';

const GONE = 'The session has ended without a word.';
const NOBODY: Policy = { rules: [] };

/**
 * A session that this window watches. It keeps the last state when the connection goes, and goes on from there when the same
 * session comes back; what an earlier connection still says is dropped.
 */
export class AttachedSession implements PanelSession {
  readonly key: string;
  readonly #options: AttachedOptions;
  readonly #own = new OwnDiscards();
  #announcement: FoundAnnouncement;
  #connection: Connection | undefined;
  /** Counts the connections. */
  #epoch = 0;
  #link: SessionLink = { kind: 'connecting' };
  #header: LogHeader;
  #state: SessionState = initialState;
  #policy = NOBODY;
  #mayDiscard = false;
  #logFile: string | undefined;
  #attached = false;
  #ownLog = new OwnLog();
  /** Of the log that is known now. */
  #past = this.#newPast();

  constructor(announcement: FoundAnnouncement, options: AttachedOptions) {
    this.key = `session:${announcement.session}`;
    this.#options = options;
    this.#announcement = announcement;
    const { session: id, agent, cwd, started: created } = announcement;
    this.#header = { version: LOG_VERSION, id, agent, created, ...(cwd !== undefined && { cwd }) };
    this.#open(announcement);
  }

  get header(): LogHeader {
    return this.#header;
  }

  get link(): SessionLink {
    return this.#link;
  }

  get state(): SessionState {
    return this.#state;
  }

  get policy(): Policy {
    return this.#policy;
  }

  get mayDiscard(): boolean {
    return this.#mayDiscard && this.#link.kind === 'connected';
  }

  get logFile(): string | undefined {
    return this.#logFile;
  }

  /** The one that is, or was last, connected to. */
  get announcement(): FoundAnnouncement {
    return this.#connection?.announcement ?? this.#announcement;
  }

  /** Connects again, also where the session was lost or has ended: it goes on from the events that are known. */
  reconnect(announcement: FoundAnnouncement): void {
    this.#open(announcement);
  }

  /** Does not wait for the next attempt. */
  retry(): void {
    this.#connection?.retry();
  }

  /** Ends the connection from here; the last state stays. */
  disconnect(): void {
    this.#end('It was disconnected here.');
  }

  /** Nothing is told any more. */
  dispose(): void {
    this.#epoch += 1;
    this.#connection?.close();
    this.#connection = undefined;
  }

  async history(from: number, to: number): Promise<readonly LogEvent[]> {
    return (await this.#knowing()).history(from, to);
  }

  async readRequest(requestSequence: number): Promise<RequestText> {
    return (await this.#knowing()).readRequest(requestSequence);
  }

  async stateAt(requestSequence: number): Promise<SessionState> {
    const past = this.#past;
    const state = await past.at(requestOf(this.#state, requestSequence));
    if (past !== this.#past) {
      throw new Error('The session went on in another log meanwhile.');
    }
    return state;
  }

  async whatIf(blockId: string): Promise<Price | undefined> {
    return (await this.#asked().whatIf(blockId)) ?? undefined;
  }

  async whatIfCompressed(): Promise<CompressionWhatIf> {
    return this.#asked().whatIfCompressed();
  }

  async discard(blockId: string): Promise<DiscardOutcome> {
    return this.#own.add(blockId, this.#asked().discard(blockId));
  }

  /** Whether this window has discarded the block. */
  discardedHere(blockId: string): Promise<boolean> {
    return this.#own.has(blockId);
  }

  async tier1(): Promise<Tier1Texts> {
    return this.#asked().tier1();
  }

  async updateTier1(id: string, value?: string): Promise<UpdateOutcome> {
    return this.#asked().updateTier1(id, value);
  }

  async rebasePrefix(): Promise<RebaseOutcome> {
    return this.#asked().rebasePrefix();
  }

  /** What nobody can be asked for any more is read from the log, where that is on this machine. */
  #newPast(): PastStates {
    return new PastStates((from, to) =>
      this.#link.kind !== 'connected' && this.#logFile !== undefined
        ? readLogEvents(this.#logFile, from)
        : this.history(from, to),
    );
  }

  /** Who knows the past: the session, or its log where nobody can be asked any more. */
  #knowing(): Pick<PanelSession, 'history' | 'readRequest'> | Promise<PanelSession> {
    return this.#link.kind === 'connected' || this.#logFile === undefined
      ? this.#asked()
      : this.#ownLog.open(this.#logFile);
  }

  #asked(): Connection {
    if (this.#connection === undefined || this.#link.kind !== 'connected') {
      throw new Error('sentence' in this.#link ? this.#link.sentence : 'The session is not connected yet.');
    }
    return this.#connection;
  }

  #open(announcement: FoundAnnouncement, goesOn = this.#attached): void {
    this.dispose();
    const epoch = this.#epoch;
    const current = (call: () => void) => {
      if (epoch === this.#epoch) {
        call();
      }
    };
    this.#announcement = announcement;
    const known = { session: this.#header.id, nextSeq: this.#state.nextSeq };
    this.#connection = this.#options.connect(
      announcement,
      {
        state: state => current(() => this.#stateChanged(state)),
        attached: attachment => current(() => this.#attach(attachment)),
        events: events => current(() => this.#fold(events)),
      },
      goesOn ? { known } : {},
    );
  }

  #stateChanged(state: ConnectionState): void {
    switch (state.kind) {
      case 'connecting':
        // Between two attempts it stays lost, since when it was lost first.
        if (this.#link.kind !== 'lost') {
          this.#become({ kind: 'connecting' });
        }
        break;
      case 'connected':
        // Shown with the state that follows at once.
        break;
      case 'lost': {
        const since = this.#link.kind === 'lost' ? this.#link.since : this.#options.now();
        this.#become({ kind: 'lost', sentence: state.sentence, since });
        void this.#endIfGone();
        break;
      }
      case 'ended':
        this.#end(state.sentence);
        if (state.refused) {
          this.#options.refused(this, state.sentence);
        }
        break;
    }
  }

  async #endIfGone(): Promise<void> {
    const epoch = this.#epoch;
    const gone = await this.#options.isGone(this.announcement);
    if (gone && epoch === this.#epoch && this.#link.kind === 'lost') {
      this.#end(GONE);
    }
  }

  #end(sentence: string): void {
    this.#announcement = this.announcement;
    this.dispose();
    this.#become({ kind: 'ended', sentence, since: this.#options.now() });
  }

  /** Throws, which ends the connection, when the snapshot is none. */
  #attach({ header, policy, mayDiscard, snapshot, reset }: Attachment): void {
    if (!reset && header.created !== this.#header.created) {
      // The same session with another log: what follows in it does not follow what is known.
      this.#open(this.announcement, false);
      return;
    }
    if (reset) {
      this.#state = snapshot ? stateFromJson(snapshot) : initialState;
      this.#own.clear();
      this.#past = this.#newPast();
    }
    const isSameLog = this.#attached && !reset;
    this.#header = header;
    this.#policy = policy;
    this.#mayDiscard = mayDiscard;
    this.#attached = true;
    // It is written on from here.
    this.#ownLog = new OwnLog();
    this.#become({ kind: 'connected' });
    if (!isSameLog) {
      void this.#lookForLog();
    }
  }

  async #lookForLog(): Promise<void> {
    const header = this.#header;
    const file = await this.#options.findLog(header);
    if (header === this.#header && file !== this.#logFile) {
      this.#logFile = file;
      this.#options.changed();
    }
  }

  /** Throws, which ends the connection with that sentence, when an event contradicts those before it; the state before it stays. */
  #fold(events: readonly LogEvent[]): void {
    for (const event of events) {
      this.#state = reduce(this.#state, event);
    }
    this.#options.changed();
    this.#options.events(this, events);
  }

  #become(link: SessionLink): void {
    this.#link = link;
    this.#options.changed();
  }
}
