import { type LogOutputChannel, l10n } from 'vscode';
import {
  type BaseLanguageClient,
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  type LanguageClientOptions,
  ResponseError,
  RevealOutputChannelOn,
  State,
} from 'vscode-languageclient';
import { DOCUMENT_SCHEMES, LANGUAGE_IDS } from '../protocol/lifecycle/documentScope.ts';
import type { EditorOptions } from '../protocol/lifecycle/editorRequests.ts';
import type { Message } from '../protocol/lifecycle/text.ts';
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

const ENDED_WHILE_STARTING: Message = { template: 'The language server ended while it was starting.', values: [] };
const CRASHED: Message = {
  template: 'The language server ended five times within three minutes and was not started again.',
  values: [],
};
const UNREADABLE: Message = {
  template: 'The language server was stopped because its messages could not be read.',
  values: [],
};

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
    errorHandler: errorHandler(() => client.language, signals),
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
  const client = make(options);
  client.language.onDidChangeState(({ newState }) => {
    if (newState === State.Starting) {
      signals.starting();
    } else if (newState === State.Running) {
      signals.running();
    } else if (newState === State.StartFailed) {
      signals.stopped();
    }
  });
  return client;
}

function editorOptions(): EditorOptions {
  return { renameCommand: RENAME_AT_COMMAND, ...(l10n.bundle && { l10n: l10n.bundle }) };
}

/** The library's own limit (the fifth end within three minutes is the last) with our words and without its messages. */
function errorHandler(client: () => BaseLanguageClient, signals: ClientSignals): ErrorHandler {
  let standard: ErrorHandler | undefined;
  const limit = (): ErrorHandler => {
    standard ??= client().createDefaultErrorHandler();
    return standard;
  };
  return {
    async error(error, message, count) {
      const result = await limit().error(error, message, count);
      if (result.action === ErrorAction.Shutdown) {
        signals.stopped(UNREADABLE);
      }
      return { ...result, handled: true };
    },
    async closed() {
      // Starting anew inside a start that is about to fail would make two starts race (editor-bugs 55).
      if (client().state === State.Starting) {
        signals.stopped(ENDED_WHILE_STARTING);
        return { action: CloseAction.DoNotRestart, handled: true };
      }
      const result = await limit().closed();
      if (result.action === CloseAction.DoNotRestart) {
        signals.stopped(CRASHED);
      }
      return { ...result, handled: true };
    },
  };
}
