import type { Connection, DidChangeConfigurationParams } from 'vscode-languageserver';
import type { ClientProfile } from './clientProfile.ts';
import { localize } from './localize.ts';
import { readSettings, SECTION, type Settings, sectionOf } from './settings.ts';

/** Where settings come from: asked for by folder where the client answers, else what it has sent by itself. */
export class SettingsSource {
  readonly #connection: Pick<Connection, 'workspace' | 'console'>;
  readonly #asks: boolean;
  #sent: unknown;

  constructor(
    connection: Pick<Connection, 'workspace' | 'console'>,
    profile: ClientProfile,
    initializationOptions: unknown,
  ) {
    this.#connection = connection;
    this.#asks = profile.answersConfiguration;
    this.#sent = sectionOf(initializationOptions);
  }

  /** What a client without `workspace/configuration` says its settings are now. */
  changed({ settings }: DidChangeConfigurationParams): void {
    if (settings !== null && settings !== undefined) {
      this.#sent = sectionOf(settings);
    }
  }

  /**
   * The settings that hold in a folder, or outside of all when `folder` is absent. Never rejects: a client that fails
   * gets what it has sent, else the defaults (editor-bugs 53). Refused settings are logged.
   */
  async settingsOf(folder: string | undefined): Promise<Settings> {
    const settings = readSettings((this.#asks ? await this.#ask(folder) : undefined) ?? this.#sent);
    for (const problem of settings.problems) {
      this.#connection.console.warn(`Settings: ${localize(problem)}`);
    }
    return settings;
  }

  async #ask(folder: string | undefined): Promise<unknown> {
    try {
      const item = folder === undefined ? { section: SECTION } : { section: SECTION, scopeUri: folder };
      return await this.#connection.workspace.getConfiguration(item);
    } catch (error) {
      this.#connection.console.warn(`The client gave no settings, so the defaults hold: ${String(error)}`);
      return undefined;
    }
  }
}
