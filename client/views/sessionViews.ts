import { Disposable, EventEmitter } from 'vscode';
import { sentence } from '../../protocol/log/sentence.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { SourceDrift } from '../editor/sourceDrift.ts';
import { SESSION_VIEWS } from '../names.ts';
import type { BlockTokens } from '../session/blockTokens.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { AskedLater } from './askedLater.ts';
import { type AuditFilter, auditRows, filterText } from './auditRows.ts';
import { blockRows } from './blockRows.ts';
import type { Drawing } from './drawing.ts';
import { editorWording } from './editorWording.ts';
import { ephemeralRows } from './ephemeralRows.ts';
import { Pages } from './pages.ts';
import { requestRows } from './requestRows.ts';
import type { Row } from './row.ts';
import { sessionRows } from './sessionRows.ts';
import { SessionTree, type SessionTreeContent } from './sessionTree.ts';
import { staleText, viewDescription } from './staleText.ts';
import { TimeTravel } from './timeTravel.ts';

type ViewName = keyof typeof SESSION_VIEWS;

/** What can be shown as it was; lists of what happened hold that anyway. */
const TRAVELLING: ReadonlySet<ViewName> = new Set(['blocks', 'ephemerals']);

/** The sessions as the views show them: one that was sent back is in its state of then. */
export interface ShownSessions {
  readonly shown: PanelSessions;
  /** Tells when a session has changed, or is shown as of another time. */
  onShown(listener: () => void): Disposable;
  /** Shows the session of this key, or all, as they are now. False where none was shown otherwise. */
  showNow(key?: string): boolean;
}

/** The five views of sessions. */
export class SessionViews implements ShownSessions {
  readonly #pages = new Pages();
  readonly #trees = new Map<string, SessionTree>();
  readonly #sessions: PanelSessions;
  readonly #tokens: BlockTokens;
  readonly #drift: SourceDrift;
  readonly #travel: TimeTravel;
  readonly #events = new AskedLater<LogEvent>(() => {
    this.#redraw('blocks', 'requests', 'session');
  });
  readonly #shownChanged = new EventEmitter<void>();
  readonly #disposable: Disposable;
  #filter: AuditFilter = {};
  /** Who is connected, to see when that changes. */
  #links = '';

  constructor(sessions: PanelSessions, tokens: BlockTokens, drift: SourceDrift) {
    this.#sessions = sessions;
    this.#tokens = tokens;
    this.#drift = drift;
    this.#travel = new TimeTravel(sessions);
    this.#add('blocks', drawing => blockRows(this.#travel.sessions, drawing));
    this.#add('ephemerals', drawing => ephemeralRows(this.#travel.sessions, drawing));
    this.#add('requests', drawing => requestRows(sessions, drawing), true);
    this.#add('audit', drawing => auditRows(sessions, drawing, this.#filter));
    this.#add('session', drawing => sessionRows(sessions, drawing));
    this.#disposable = Disposable.from(
      sessions.onChange(() => {
        this.#noticeLinks();
        drift.keepOnly(this.#travel.sessions.all);
        for (const tree of this.#trees.values()) {
          tree.invalidate();
        }
        this.#shownChanged.fire();
      }),
      this.#shownChanged,
      tokens.onMore(() => this.#trees.get(SESSION_VIEWS.blocks)?.invalidate()),
      drift.onMore(() => this.#trees.get(SESSION_VIEWS.blocks)?.invalidate()),
      ...this.#trees.values(),
    );
  }

  /** The audit is narrowed to this. */
  get filter(): AuditFilter {
    return this.#filter;
  }

  set filter(filter: AuditFilter) {
    this.#filter = filter;
    this.#trees.get(SESSION_VIEWS.audit)?.invalidate();
  }

  /** Shows the blocks and the ephemeral messages as they stood at a request. Rejects with a sentence, and then nothing changes. */
  async showStateAt(session: PanelSession, requestSequence: number): Promise<void> {
    await this.#travel.goTo(session, requestSequence);
    this.#travelled();
  }

  get shown(): PanelSessions {
    return this.#travel.sessions;
  }

  onShown(listener: () => void): Disposable {
    return this.#shownChanged.event(listener);
  }

  showNow(key?: string): boolean {
    const wasThen = this.#travel.goBack(key);
    this.#travelled();
    return wasThen;
  }

  showMore(view: string, list: string): void {
    this.#pages.showMore(list);
    this.#trees.get(view)?.invalidate();
  }

  dispose(): void {
    this.#disposable.dispose();
  }

  #travelled(): void {
    this.#drift.keepOnly(this.#travel.sessions.all);
    this.#redraw('blocks', 'ephemerals');
    this.#shownChanged.fire();
  }

  #redraw(...names: readonly ViewName[]): void {
    for (const name of names) {
      this.#trees.get(SESSION_VIEWS[name])?.invalidate();
    }
  }

  #add(name: ViewName, rows: (drawing: Drawing) => readonly Row[], canSelectMany = false): void {
    const view = SESSION_VIEWS[name];
    const drawing: Drawing = {
      view,
      pages: this.#pages,
      wording: editorWording,
      tokensOf: (session, blockId) => this.#tokens.of(session, blockId),
      isChanged: (session, block) => this.#drift.isChanged(session, block),
      eventOf: (session, seq) => this.#eventOf(session, seq),
    };
    const content: SessionTreeContent = {
      rows: () => rows(drawing),
      message: isEmpty => this.#message(name, isEmpty),
      description: () => viewDescription(TRAVELLING.has(name) ? this.#travel.sessions : this.#sessions, editorWording),
    };
    this.#trees.set(view, new SessionTree(view, content, canSelectMany));
  }

  #noticeLinks(): void {
    const links = JSON.stringify(this.#sessions.all.map(({ key, link }) => [key, link.kind]));
    if (links !== this.#links) {
      this.#links = links;
      this.#tokens.retry();
      this.#events.retry();
    }
  }

  /** The first view says it for all. */
  #message(name: ViewName, isEmpty: boolean): string | undefined {
    if (name === 'blocks') {
      return isEmpty ? undefined : staleText(this.#sessions, editorWording);
    }
    const filter = name === 'audit' ? filterText(this.#filter, editorWording) : '';
    return filter === '' ? undefined : editorWording.say(sentence('Only: {0}', filter));
  }

  #eventOf(session: PanelSession, seq: number): LogEvent | undefined {
    return this.#events.get(session.key, JSON.stringify([session.key, session.header.created, seq]), async () => {
      const events = await session.history(seq, seq + 1);
      return events.find(event => event.seq === seq);
    });
  }
}
