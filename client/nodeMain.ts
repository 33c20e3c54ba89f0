import type { ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { product } from '../protocol/product.ts';
import { type ActiveExtension, activateExtension } from './activation.ts';
import { SECTION } from './names.ts';
import { startPanel } from './panel.ts';
import type { MakeLanguageClient } from './serverClient.ts';

let active: ActiveExtension | undefined;

/** Entry of the extension in Node: the server is a child process of the editor's own Node. */
export function activate(context: ExtensionContext): void {
  const module = context.asAbsolutePath('dist/server.js');
  const make: MakeLanguageClient = options => {
    const language = new QuietClient(SECTION, product.displayName, { module, transport: TransportKind.ipc }, options);
    return { language, start: () => language.start(), dispose: () => language.dispose() };
  };
  active = activateExtension(context, make, startPanel);
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
