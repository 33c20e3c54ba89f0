import { type ExtensionContext, Uri } from 'vscode';
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from 'vscode-languageclient/browser';
import { product } from '../protocol/product.ts';
import { type ActiveExtension, activateExtension } from './activation.ts';
import { SECTION } from './names.ts';
import { answerFileRequests } from './workspaceFiles.ts';

/** The part of the DOM's worker that is used here; the compiler knows no DOM in this room. */
declare const Worker: new (script: string) => { terminate(): void };

let active: ActiveExtension | undefined;

/** Entry of the extension in a browser: the server is a worker, and the client reads files for it. */
export function activate(context: ExtensionContext): void {
  const script = Uri.joinPath(context.extensionUri, 'dist', 'server.web.js').toString(true);
  active = activateExtension(context, options => {
    let worker: InstanceType<typeof Worker> | undefined;
    // Not the worker itself: the editor's extension host replaces `Worker`, so the library would not know it for one.
    const startWorker = async () => {
      worker = new Worker(script);
      return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
    };
    const language = new QuietClient(SECTION, product.displayName, startWorker, options);
    answerFileRequests(language);
    return {
      language,
      start: () => language.start(),
      dispose: () => language.dispose().finally(() => worker?.terminate()),
    };
  });
}

/** The editor waits for the promise. */
export function deactivate(): Promise<void> | undefined {
  return active?.deactivate();
}

/** The library shows some errors in a message whatever its options say; ours are in the log and in the status. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}
