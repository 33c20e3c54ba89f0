import {
  CodeLens,
  type CodeLensProvider,
  commands,
  Disposable,
  EventEmitter,
  languages,
  Range,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  window,
  workspace,
} from 'vscode';
import { sentence } from '../../protocol/log/sentence.ts';
import { OPEN_SOURCE_COMMAND } from '../names.ts';
import { withoutIcons } from '../session/plainWords.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { placeIn, sessionName } from '../views/drawing.ts';
import { editorWording } from '../views/editorWording.ts';
import { filePlace } from '../views/sourcePlace.ts';
import { shown } from '../views/wording.ts';
import { REQUEST_SCHEME, type RequestAddress, requestAddress, requestQuery } from './requestAddress.ts';
import { type BlockLine, requestDocument, requestJson } from './requestDocument.ts';

const { say } = editorWording;

/** The exact requests of sessions as read-only documents. */
export class RequestDocuments implements TextDocumentContentProvider, CodeLensProvider {
  readonly #sessions: PanelSessions;
  readonly #changed = new EventEmitter<Uri>();
  readonly #lenses = new EventEmitter<void>();
  /** Of the open documents, by address. */
  readonly #blocks = new Map<string, readonly BlockLine[]>();
  /** Documents whose session was not there, or not connected. */
  readonly #missing = new Map<string, Uri>();
  readonly #disposable: Disposable;

  readonly onDidChange = this.#changed.event;
  readonly onDidChangeCodeLenses = this.#lenses.event;

  constructor(sessions: PanelSessions) {
    this.#sessions = sessions;
    this.#disposable = Disposable.from(
      workspace.registerTextDocumentContentProvider(REQUEST_SCHEME, this),
      languages.registerCodeLensProvider({ scheme: REQUEST_SCHEME }, this),
      workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      sessions.onChange(() => this.#showMissing()),
      this.#changed,
      this.#lenses,
    );
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const address = requestAddress(uri.query);
    const session = address && sessionOf(this.#sessions, address.session);
    if (!address || !session) {
      this.#missing.set(uri.toString(), uri);
      return say(sentence('This session is not shown in this window any more. Connect to it to see its requests.'));
    }
    try {
      const sealed = await session.readRequest(address.request);
      if (address.form === 'json') {
        return requestJson(sealed);
      }
      const { text, blocks } = requestDocument(session, address.request, sealed, editorWording);
      this.#blocks.set(uri.toString(), blocks);
      this.#lenses.fire();
      return text;
    } catch (error) {
      if (!isReadable(session)) {
        this.#missing.set(uri.toString(), uri);
      }
      return say(
        sentence(
          'Request {0} could not be read: {1}',
          address.request,
          shown(error instanceof Error ? error.message : String(error), 400),
        ),
      );
    }
  }

  /** One above each block of the session: where its text comes from. */
  provideCodeLenses({ uri }: TextDocument): CodeLens[] {
    const address = requestAddress(uri.query);
    const session = address && sessionOf(this.#sessions, address.session);
    const blocks = session?.state.lifecycle.blocks;
    return (this.#blocks.get(uri.toString()) ?? []).flatMap(({ blockId, line }) => {
      const activated = blocks?.get(blockId)?.activated;
      if (!session || !activated) {
        return [];
      }
      const { source, line: sourceLine } = activated;
      const place = filePlace(source, session.header.cwd, sourceLine);
      const title = say(
        sentence('Block {0} from {1}', withoutIcons(blockId), withoutIcons(placeIn(session, source, sourceLine))),
      );
      const command = place ? { command: OPEN_SOURCE_COMMAND, title, arguments: [place] } : { command: '', title };
      return [new CodeLens(new Range(line, 0, line, 0), command)];
    });
  }

  /** Opens a request; with a block at the line where its definition begins. */
  async show(
    session: PanelSession,
    request: number,
    form: RequestAddress['form'],
    { blockId, preserveFocus = false }: { readonly blockId?: string; readonly preserveFocus?: boolean } = {},
  ): Promise<void> {
    const uri = uriOf(session, { session: session.key, request, form });
    const document = await workspace.openTextDocument(uri);
    const place = (this.#blocks.get(uri.toString()) ?? []).find(block => block.blockId === blockId);
    await window.showTextDocument(document, {
      preview: true,
      preserveFocus,
      ...(place && { selection: new Range(place.line, 0, place.line, 0) }),
    });
  }

  /** Two requests side by side in the editor's own diff. */
  async compare(session: PanelSession, one: number, other: number): Promise<void> {
    const [left, right] = [one, other].map(request => uriOf(session, { session: session.key, request, form: 'text' }));
    const title = say(sentence('Request {0} ↔ {1} of {2}', one, other, sessionName(session)));
    await commands.executeCommand('vscode.diff', left, right, title);
  }

  dispose(): void {
    this.#disposable.dispose();
  }

  #forget(uri: Uri): void {
    if (uri.scheme === REQUEST_SCHEME) {
      this.#blocks.delete(uri.toString());
      this.#missing.delete(uri.toString());
    }
  }

  #showMissing(): void {
    for (const [key, uri] of this.#missing) {
      const address = requestAddress(uri.query);
      const session = address && sessionOf(this.#sessions, address.session);
      if (session && isReadable(session)) {
        this.#missing.delete(key);
        this.#changed.fire(uri);
      }
    }
  }
}

function sessionOf({ all }: PanelSessions, key: string): PanelSession | undefined {
  return all.find(session => session.key === key);
}

/** What cannot be read of such a session now cannot be read later either. */
function isReadable({ link: { kind } }: PanelSession): boolean {
  return kind === 'connected' || kind === 'past';
}

function uriOf(session: PanelSession, address: RequestAddress): Uri {
  const { request, form } = address;
  const folder = sessionName(session).replaceAll(/[\\/?#%]/g, '_');
  const name = say(sentence('Request {0}', request));
  return Uri.from({
    scheme: REQUEST_SCHEME,
    path: `/${folder}/${name}.${form === 'json' ? 'json' : 'txt'}`,
    query: requestQuery(address),
  });
}
