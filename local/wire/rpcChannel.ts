import type { Socket } from 'node:net';
import {
  AbstractMessageReader,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  Message,
  type MessageConnection,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { FrameBytes, FrameError, type FrameLimits } from './frameBytes.ts';
import { type RpcMessage, readRpcMessage } from './rpcMessage.ts';

export interface ChannelOptions {
  readonly limits: FrameLimits;
  /** Requests of the peer that wait for an answer at the same time; more are not read from the socket until one is answered. */
  readonly unanswered: number;
  /** Says in a sentence why a message may not come in, which ends the channel; absent lets it in. */
  readonly admit: (message: RpcMessage) => string | undefined;
  /** Once, when the socket is closed: with a sentence where that was because of what the peer sent or the socket failed. */
  readonly closed: (fault: string | undefined) => void;
}

/** JSON-RPC over a socket whose peer is not trusted to keep any rule. */
export class RpcChannel {
  readonly connection: MessageConnection;
  readonly #socket: Socket;
  readonly #reader: CountingReader;
  #fault: string | undefined;

  constructor(socket: Socket, options: ChannelOptions) {
    this.#socket = socket;
    this.#reader = new CountingReader(socket, options, fault => this.close(fault));
    const writer = new AnsweringWriter(socket, id => this.#reader.answered(id));
    this.connection = createMessageConnection(this.#reader, writer);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#fault ??= isRefused(error) ? 'Nobody listens at the socket.' : `The socket failed: ${error.message}.`;
    });
    socket.once('close', () => {
      this.#reader.stop();
      this.connection.dispose();
      options.closed(this.#fault);
    });
  }

  listen(): void {
    this.connection.listen();
  }

  /** The peer has proved the token. */
  trust(): void {
    this.#reader.trust();
  }

  /** Bytes that were written and that the peer has not taken yet. */
  get bytesWaiting(): number {
    return this.#socket.writableLength;
  }

  /** Sends what was written, then ends. */
  end(): void {
    this.#reader.stop();
    this.#socket.end(() => this.#socket.destroy());
  }

  /** At once; what was not sent yet is lost. */
  close(fault?: string): void {
    this.#fault ??= fault;
    this.#reader.stop();
    this.#socket.destroy();
  }
}

function isRefused({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNREFUSED' || code === 'ENOENT';
}

class CountingReader extends AbstractMessageReader {
  readonly #socket: Socket;
  readonly #options: ChannelOptions;
  readonly #refuse: (fault: string) => void;
  readonly #frames: FrameBytes;
  readonly #unanswered = new Set<number | string>();
  #callback: DataCallback | undefined;

  constructor(socket: Socket, options: ChannelOptions, refuse: (fault: string) => void) {
    super();
    this.#socket = socket;
    this.#options = options;
    this.#refuse = refuse;
    this.#frames = new FrameBytes(options.limits);
  }

  listen(callback: DataCallback): Disposable {
    this.#callback = callback;
    const onData = (chunk: Buffer) => this.#read(() => this.#frames.push(chunk));
    this.#socket.on('data', onData);
    return { dispose: () => this.#socket.off('data', onData) };
  }

  trust(): void {
    this.#frames.trust();
  }

  answered(id: number | string): void {
    if (this.#unanswered.delete(id)) {
      this.#read(() => {});
    }
  }

  /** Whatever still comes is dropped. */
  stop(): void {
    this.#callback = undefined;
    this.#socket.resume();
  }

  #read(take: () => void): void {
    if (!this.#callback) {
      return;
    }
    try {
      take();
      this.#deliver();
    } catch (error) {
      if (!(error instanceof FrameError)) {
        throw error;
      }
      this.#refuse(error.message);
    }
  }

  #deliver(): void {
    while (this.#callback && this.#unanswered.size < this.#options.unanswered) {
      const body = this.#frames.next();
      if (!body) {
        this.#socket.resume();
        return;
      }
      const { message, json } = readRpcMessage(body);
      const fault = this.#options.admit(message);
      if (fault !== undefined) {
        throw new FrameError(fault);
      }
      if (message.kind === 'request') {
        this.#remember(message.id);
      }
      this.#callback(json as Message);
    }
    this.#socket.pause();
  }

  #remember(id: number | string): void {
    if (this.#unanswered.has(id)) {
      throw new FrameError('The peer sent a request with the id of one that is not answered yet.');
    }
    this.#unanswered.add(id);
  }
}

/** Says when the answer to a request has left, which it has when the socket took it. */
class AnsweringWriter extends StreamMessageWriter {
  readonly #answered: (id: number | string) => void;

  constructor(socket: Socket, answered: (id: number | string) => void) {
    super(socket);
    this.#answered = answered;
  }

  override async write(message: Message): Promise<void> {
    await super.write(message);
    if (Message.isResponse(message) && message.id !== null) {
      this.#answered(message.id);
    }
  }
}
