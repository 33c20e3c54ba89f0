import type { Connection } from 'vscode-languageserver';
import { SERVER_NOTE, type ServerNoteParams } from '../protocol/lifecycle/editorRequests.ts';

/** What a note can be about; the first that has one is shown. */
const TOPICS = ['files', 'time'] as const;

type NoteTopic = (typeof TOPICS)[number];

/** The one sentence on the server's state that a client may show. Sent only when it changes. */
export class ServerNotes {
  readonly #connection: Pick<Connection, 'sendNotification'>;
  readonly #notes = new Map<NoteTopic, string>();
  #shown: string | null = null;

  constructor(connection: Pick<Connection, 'sendNotification'>) {
    this.#connection = connection;
  }

  /** Sets the note on a topic; undefined clears it. */
  set(topic: NoteTopic, text: string | undefined): void {
    if (text === undefined) {
      this.#notes.delete(topic);
    } else {
      this.#notes.set(topic, text);
    }
    const first = TOPICS.find(known => this.#notes.has(known));
    const shown = (first && this.#notes.get(first)) ?? null;
    if (shown !== this.#shown) {
      this.#shown = shown;
      const params: ServerNoteParams = { text: shown };
      void this.#connection.sendNotification(SERVER_NOTE, params);
    }
  }
}
