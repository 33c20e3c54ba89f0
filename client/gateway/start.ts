import { Disposable, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { FetchDeclaredBlocks } from '../views/declaredBlocksView.ts';
import { Gateway } from './gateway.ts';
import { registerGatewayCommands } from './gatewayCommands.ts';

/** The gateway's commands and status; a gateway itself starts only when a person asks for one. */
export function startGatewayCommands(
  context: ExtensionContext,
  log: LogOutputChannel,
  fetch: FetchDeclaredBlocks,
): Disposable {
  const gateway = new Gateway(context.asAbsolutePath('dist/cli.js'), log);
  const memory = context.workspaceState;
  return Disposable.from(...registerGatewayCommands({ gateway, fetch, memory }), gateway);
}
