import { createHash } from 'node:crypto';
import type { TextDocument } from 'vscode';
import { LANGUAGE_IDS } from '../../protocol/lifecycle/documentScope.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { type DocumentTags, documentTags } from './documentTags.ts';
import { RefusedDiscards } from './refusedDiscards.ts';
import { isSourceOf, type PathStyle } from './sourceFile.ts';
import { type TagMark, tagMarks } from './tagMarks.ts';

/** Sessions name files of the machine that this extension runs on. */
export const SESSION_DOCUMENTS = LANGUAGE_IDS.map(language => ({ language, scheme: 'file' }));

export const PATH_STYLE: PathStyle = process.platform === 'win32' ? 'windows' : 'posix';

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

const languages: ReadonlySet<string> = new Set(LANGUAGE_IDS);

interface Remembered {
  readonly version: number;
  readonly tags: DocumentTags;
  state?: SessionState;
  cwd?: string | undefined;
  marks: readonly TagMark[];
}

/** The marks of documents for the window's current session. What was worked out holds until document or session change. */
export class DocumentMarks {
  readonly #sessions: PanelSessions;
  readonly #refused = new WeakMap<PanelSession, RefusedDiscards>();
  readonly #remembered = new WeakMap<TextDocument, Remembered>();

  constructor(sessions: PanelSessions) {
    this.#sessions = sessions;
  }

  /** The session that the marks are about. */
  get session(): PanelSession | undefined {
    return this.#sessions.current;
  }

  /** The same list as long as it says the same; empty without a session, and for what no session can have loaded. */
  of(document: TextDocument): readonly TagMark[] {
    const { session } = this;
    if (!session || document.uri.scheme !== 'file' || !languages.has(document.languageId)) {
      return [];
    }
    const remembered = this.#tagsOf(document);
    const { state, header } = session;
    if (remembered.state !== state || remembered.cwd !== header.cwd) {
      const isThis = isSourceOf(document.uri.fsPath, header.cwd, PATH_STYLE);
      remembered.state = state;
      remembered.cwd = header.cwd;
      remembered.marks = tagMarks(remembered.tags, state, isThis, this.#refusedIn(session).of(state, isThis));
    }
    return remembered.marks;
  }

  /** The mark that a line belongs to, as its opening, closing or discard line. */
  at(document: TextDocument, line: number): TagMark | undefined {
    return this.of(document).find(mark => mark.line === line || mark.endLine === line);
  }

  #refusedIn(session: PanelSession): RefusedDiscards {
    const refused = this.#refused.get(session) ?? new RefusedDiscards();
    this.#refused.set(session, refused);
    return refused;
  }

  #tagsOf(document: TextDocument): Remembered {
    const known = this.#remembered.get(document);
    if (known?.version === document.version) {
      return known;
    }
    const { version } = document;
    const fresh: Remembered = { version, tags: documentTags(document.getText(), sha256, known?.tags), marks: [] };
    this.#remembered.set(document, fresh);
    return fresh;
  }
}
