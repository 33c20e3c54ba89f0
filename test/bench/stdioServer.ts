import { type ChildProcess, spawn } from 'node:child_process';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';

/** A language server as a child process, spoken to over real stdio. */
export interface StdioServer {
  readonly connection: MessageConnection;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts `script` with `--stdio` and initializes it as a client that pulls diagnostics. */
export async function startStdioServer(script: string, folder?: string): Promise<StdioServer> {
  const child = spawn(process.execPath, [script, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  const workspaceFolders = folder ? [{ uri: folder, name: 'bench' }] : null;
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: folder ?? null,
    workspaceFolders,
    capabilities: {
      textDocument: { diagnostic: { dynamicRegistration: false }, hover: {} },
      workspace: { workspaceFolders: true },
    },
  });
  await connection.sendNotification('initialized', {});
  return {
    connection,
    child,
    stop: async () => {
      const exited = new Promise(resolve => child.once('exit', resolve));
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      await exited;
      connection.dispose();
    },
  };
}
