import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type {
  ClientCapabilities,
  Diagnostic,
  InitializeResult,
  PublishDiagnosticsParams,
  Registration,
  TextDocumentContentChangeEvent,
} from 'vscode-languageserver-protocol';
import { clientProfiles, type ProfileName } from './clientProfiles.ts';
import { inTime } from './deadline.ts';

/** The server's entry; a bundle can be named instead. */
export const serverEntry =
  process.env['CONTEXT_LIFECYCLE_SERVER'] ?? fileURLToPath(new URL('../../server/nodeMain.ts', import.meta.url));

export interface LspOptions {
  readonly profile?: ProfileName;
  /** Changes to the profile's capabilities. */
  readonly capabilities?: ClientCapabilities;
  /** URIs of workspace folders; none by default, which is the null root. */
  readonly folders?: readonly string[];
  /** What `workspace/configuration` answers: one value, or a function of the scope ('' outside of all folders). */
  readonly settings?: unknown;
  readonly initializationOptions?: unknown;
  readonly nodeArguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Answers a request of the server; what it throws is the error that the server gets. */
export type RequestHandler = (params: never) => unknown;

/** The real server as a child process, spoken to over stdio. */
export class LspProcess {
  readonly child: ChildProcess;
  readonly connection: MessageConnection;
  /** Every notification so far, in order. */
  readonly notifications: { readonly method: string; readonly params: unknown }[] = [];
  /** Every request of the server so far, in order. */
  readonly requests: { readonly method: string; readonly params: unknown }[] = [];
  readonly registrations = new Map<string, Registration>();
  /** Settings as the client has them now: one object for all folders, or a function of the scope. */
  settings: unknown;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #versions = new Map<string, number>();
  #initialized: InitializeResult | undefined;
  #stderr = '';

  private constructor(child: ChildProcess, settings: unknown) {
    if (!child.stdin || !child.stdout || !child.stderr) {
      throw new Error('The server has no pipes.');
    }
    this.child = child;
    this.settings = settings;
    this.connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.connection.onNotification((method, params) => {
      this.notifications.push({ method, params });
      this.#events.emit('message');
    });
    this.connection.onRequest((method, params) => {
      this.requests.push({ method, params });
      this.#events.emit('message');
      return this.#answer(method, params);
    });
    this.connection.listen();
  }

  static async start(options: LspOptions = {}): Promise<LspProcess> {
    const { profile = 'vscode', folders, nodeArguments = [], env } = options;
    const child = spawn(process.execPath, [...nodeArguments, serverEntry, '--stdio'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const server = new LspProcess(child, options.settings ?? null);
    const base = clientProfiles[profile];
    const died = once(child, 'exit').then(([code]) => {
      throw new Error(`The server ended with ${code} before it answered: ${server.stderr}`);
    });
    server.#initialized = await inTime(
      Promise.race([
        died,
        server.connection.sendRequest<InitializeResult>('initialize', {
          processId: process.pid,
          rootUri: folders?.[0] ?? null,
          ...(profile === 'vscode' && { workspaceFolders: folders?.map(uri => ({ uri, name: '' })) ?? null }),
          capabilities: { ...base, ...options.capabilities },
          initializationOptions: options.initializationOptions,
        }),
      ]),
      'The answer to initialize',
    );
    // From now on its end is the test's own business.
    died.catch(() => undefined);
    await server.connection.sendNotification('initialized', {});
    return server;
  }

  get initializeResult(): InitializeResult {
    if (!this.#initialized) {
      throw new Error('The server is not initialized.');
    }
    return this.#initialized;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Messages of `window/logMessage` so far. */
  get log(): readonly string[] {
    return this.notifications.flatMap(({ method, params }) =>
      method === 'window/logMessage' ? [(params as { message: string }).message] : [],
    );
  }

  /** Answers a request of the server from now on. */
  handle(method: string, handler: RequestHandler): void {
    this.#handlers.set(method, handler);
  }

  async open(uri: string, text: string, languageId = 'markdown'): Promise<void> {
    this.#versions.set(uri, 1);
    await this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }

  /** Sends changes; a text stands for the whole document. */
  async change(uri: string, changes: string | readonly TextDocumentContentChangeEvent[]): Promise<number> {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    const contentChanges = typeof changes === 'string' ? [{ text: changes }] : changes;
    await this.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
    return version;
  }

  async close(uri: string): Promise<void> {
    this.#versions.delete(uri);
    await this.notify('textDocument/didClose', { textDocument: { uri } });
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.connection.sendNotification(method, params);
  }

  async request<T>(method: string, params: unknown): Promise<T> {
    return inTime(this.connection.sendRequest<T>(method, params), `The answer to ${method}`);
  }

  /** The diagnostics that the client asks for. */
  async pull(
    uri: string,
    previousResultId?: string,
  ): Promise<{ kind: string; resultId?: string; items: Diagnostic[] }> {
    return this.request('textDocument/diagnostic', { textDocument: { uri }, previousResultId });
  }

  /** The first diagnostics published for a document from now on, or already, that fit. */
  async published(
    uri: string,
    fits: (params: PublishDiagnosticsParams) => boolean,
    from = 0,
  ): Promise<PublishDiagnosticsParams> {
    return this.notified<PublishDiagnosticsParams>(
      'textDocument/publishDiagnostics',
      params => params.uri === uri && fits(params),
      from,
    );
  }

  /** The first notification that fits, of those from number `from` on; waits for it. */
  async notified<T>(method: string, fits: (params: T) => boolean = () => true, from = 0): Promise<T> {
    return this.#await(() => this.notifications.slice(from), method, fits);
  }

  /** The first request of the server that fits, of those from number `from` on; waits for it. */
  async requested<T>(method: string, fits: (params: T) => boolean = () => true, from = 0): Promise<T> {
    return this.#await(() => this.requests.slice(from), method, fits);
  }

  /** Waits until a condition holds after some message of the server. */
  async until(holds: () => boolean, what: string): Promise<void> {
    const wait = async (): Promise<void> => {
      while (!holds()) {
        await once(this.#events, 'message');
      }
    };
    await inTime(wait(), what);
  }

  /** Says goodbye; the exit code. */
  async stop(): Promise<number | null> {
    const exited = once(this.child, 'exit');
    await this.request('shutdown', undefined);
    await this.notify('exit', undefined);
    const [code] = (await inTime(exited, 'The end of the server')) as [number | null];
    this.connection.dispose();
    return code;
  }

  /** Ends the process when a test is over, however it went. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await exited;
    }
    this.connection.dispose();
  }

  async #await<T>(
    messages: () => readonly { readonly method: string; readonly params: unknown }[],
    method: string,
    fits: (params: T) => boolean,
  ): Promise<T> {
    const find = () => messages().find(message => message.method === method && fits(message.params as T));
    await this.until(() => find() !== undefined, method);
    return find()?.params as T;
  }

  #answer(method: string, params: unknown): unknown {
    const handler = this.#handlers.get(method);
    if (handler) {
      return handler(params as never);
    }
    switch (method) {
      case 'workspace/configuration': {
        const { items } = params as { items: readonly { scopeUri?: string }[] };
        return items.map(({ scopeUri = '' }) =>
          typeof this.settings === 'function' ? (this.settings as (scope: string) => unknown)(scopeUri) : this.settings,
        );
      }
      case 'client/registerCapability':
        for (const registration of (params as { registrations: readonly Registration[] }).registrations) {
          this.registrations.set(registration.id, registration);
        }
        return null;
      case 'client/unregisterCapability':
        for (const { id } of (params as { unregisterations: readonly { id: string }[] }).unregisterations) {
          this.registrations.delete(id);
        }
        return null;
      case 'workspace/diagnostic/refresh':
        return null;
      default:
        return new ResponseError(-32601, `This client does not know ${method}.`);
    }
  }
}
