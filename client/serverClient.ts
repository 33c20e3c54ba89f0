import { type LogOutputChannel, l10n } from 'vscode';
import {
  type BaseLanguageClient,
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  type LanguageClientOptions,
  ResponseError,
  RevealOutputChannelOn,
} from 'vscode-languageclient';
import { DOCUMENT_SCHEMES, LANGUAGE_IDS } from '../protocol/lifecycle/documentScope.ts';
import type { EditorOptions } from '../protocol/lifecycle/editorRequests.ts';
import { explicitSettings } from './explicitSettings.ts';
import { RENAME_AT_COMMAND, SECTION } from './names.ts';
import type { ClientSignals, LifeClient } from './serverLife.ts';

/** A client whose life `ServerLife` leads, with the library's client in it. */
export interface ServerClient extends LifeClient {
  readonly language: BaseLanguageClient;
}

/** Makes the library's client for one kind of extension host; `options` must be handed on as they are. */
export type MakeLanguageClient = (options: LanguageClientOptions) => ServerClient;

export interface Channels {
  readonly log: LogOutputChannel;
  readonly trace: LogOutputChannel;
}

/** Every document that our server looks at, by language and scheme; never the other side of a diff. */
export const DOCUMENT_SELECTOR = LANGUAGE_IDS.flatMap(language =>
  DOCUMENT_SCHEMES.map(scheme => ({ language, scheme })),
);

/** Makes a client that tells `signals` what becomes of its server and shows no message of its own. */
export function makeServerClient(make: MakeLanguageClient, channels: Channels, signals: ClientSignals): ServerClient {
  const options: LanguageClientOptions = {
    documentSelector: DOCUMENT_SELECTOR,
    outputChannel: channels.log,
    traceOutputChannel: channels.trace,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: editorOptions,
    // Without a handler the library would show the error in a message of its own.
    initializationFailedHandler: () => false,
    errorHandler: errorHandler(signals),
    markdown: { isTrusted: false, supportHtml: false },
    middleware: {
      workspace: {
        async configuration(params, token, next) {
          const answers = await next(params, token);
          return answers instanceof ResponseError
            ? answers
            : answers.map((answer: unknown, index) => {
                const item = params.items[index];
                return item?.section === SECTION ? explicitSettings(item.scopeUri) : answer;
              });
        },
      },
    },
  };
  return make(options);
}

function editorOptions(): EditorOptions {
  return { renameCommand: RENAME_AT_COMMAND, ...(l10n.bundle && { l10n: l10n.bundle }) };
}

/**
 * `ServerLife` makes a new client after each end, so the library restarts, stops and shows nothing. Its own handler would
 * stop a client after a few failed writes: for a server that has just ended these can come before `closed`, which the
 * library then never calls.
 */
function errorHandler(signals: ClientSignals): ErrorHandler {
  return {
    error(error, unsent) {
      // a process that takes no messages has ended, and `closed` follows
      if (!unsent) {
        signals.broke(error);
      }
      return { action: ErrorAction.Continue, handled: true };
    },
    closed() {
      signals.ended();
      const message = 'The connection to the language server has closed.';
      return { action: CloseAction.DoNotRestart, message, handled: true };
    },
  };
}
