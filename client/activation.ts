import { type Disposable, type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import {
  DECLARED_BLOCKS_CHANGED,
  DECLARED_BLOCKS_REQUEST,
  type DeclaredBlocks,
  SERVER_NOTE,
  type ServerNoteParams,
} from '../protocol/lifecycle/editorRequests.ts';
import { product } from '../protocol/product.ts';
import { Changes } from './changes.ts';
import { registerCommands } from './commands.ts';
import { resetContextKeys, setContextKey } from './contextKeys.ts';
import { tellActivationFailed, tellStopped } from './notices.ts';
import { WalkthroughSample } from './sample.ts';
import { type MakeLanguageClient, makeServerClient, type ServerClient } from './serverClient.ts';
import { type ClientSignals, type ServerCondition, ServerLife } from './serverLife.ts';
import { ServerStatus } from './serverStatus.ts';
import { TraceChannel } from './traceChannel.ts';
import { DeclaredBlocksView, type FetchDeclaredBlocks } from './views/declaredBlocksView.ts';

/** What `deactivate` has to end. */
export interface ActiveExtension {
  deactivate(): Promise<void>;
}

/** Starts what only Node has: the sessions, with their views and marks. What it gives ends them. */
export type StartPanel = (context: ExtensionContext, log: LogOutputChannel, fetch: FetchDeclaredBlocks) => Disposable;

/**
 * Builds the extension and starts the server, and the panel where the host has one. Throws, after it has told the user, when
 * the extension cannot work.
 */
export function activateExtension(
  context: ExtensionContext,
  make: MakeLanguageClient,
  startPanel?: StartPanel,
): ActiveExtension {
  const log = window.createOutputChannel(product.displayName, { log: true });
  try {
    return build(context, make, log, startPanel);
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
    tellActivationFailed(error);
    throw error;
  }
}

/** View and commands come first, so that they exist whatever fails after them (editor-bugs 68). */
function build(
  context: ExtensionContext,
  make: MakeLanguageClient,
  log: LogOutputChannel,
  startPanel: StartPanel | undefined,
): ActiveExtension {
  let deactivated = false;
  const changes = new Changes();
  const view = new DeclaredBlocksView(fetchDeclaredBlocks);
  const sample = new WalkthroughSample();
  context.subscriptions.push(view, sample);
  const life = new ServerLife<ServerClient>({ makeClient, report, log: text => log.warn(text) });
  context.subscriptions.push(
    ...registerCommands({ log, sample, fetch: fetchAllDeclaredBlocks, restart: () => life.restart() }),
  );
  const trace = new TraceChannel();
  const status = new ServerStatus();
  context.subscriptions.push(status);
  void life.restart();
  const panel = startPanel?.(context, log, fetchAllDeclaredBlocks);
  return {
    async deactivate() {
      deactivated = true;
      panel?.dispose();
      await life.dispose();
      await resetContextKeys();
      // Not in the subscriptions: what the end of the server writes would throw in a closed channel.
      trace.dispose();
      log.dispose();
    },
  };

  function makeClient(signals: ClientSignals): ServerClient {
    const client = makeServerClient(make, { log, trace }, signals);
    client.language.onNotification(DECLARED_BLOCKS_CHANGED, () => {
      view.invalidate();
      changes.fire();
    });
    client.language.onNotification(SERVER_NOTE, ({ text }: ServerNoteParams) => status.showNote(text));
    return client;
  }

  function report(condition: ServerCondition): void {
    // the editor disposes status and view without waiting for the server's end
    if (deactivated) {
      return;
    }
    setContextKey('contextLifecycle.serverState', condition.state);
    status.show(condition);
    view.serverChanged(condition);
    changes.fire();
    if (condition.reason) {
      void tellStopped(condition.reason);
    }
  }

  /** Waits until every context source has been read. */
  async function fetchAllDeclaredBlocks(): Promise<DeclaredBlocks | undefined> {
    for (;;) {
      const changed = changes.next();
      const blocks = await fetchDeclaredBlocks();
      if (!blocks || blocks.complete) {
        return blocks;
      }
      await changed;
    }
  }

  async function fetchDeclaredBlocks(): Promise<DeclaredBlocks | undefined> {
    try {
      const client = await life.settled();
      return await client?.language.sendRequest<DeclaredBlocks>(DECLARED_BLOCKS_REQUEST);
    } catch (error) {
      log.warn(`The declared blocks could not be read: ${String(error)}`);
      return undefined;
    }
  }
}
