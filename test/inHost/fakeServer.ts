import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { IPCMessageReader, IPCMessageWriter, type MessageTransports } from 'vscode-languageclient/node';

/** What a server does when a message with this method arrives. */
export type ServerScript = (server: FakeServer, method: string) => void;

/** A language server without a process, for what a real one does too fast to be caught at it. */
export interface FakeServer {
  readonly transports: MessageTransports;
  /** Answers the request that it is asked, if it is one: with no capabilities, or with null. */
  answer(method: string): void;
  /** Sends so many requests, which the client then has to answer. */
  request(count: number): void;
  /** From now on nothing that the client writes arrives. */
  die(): void;
  /** Lets the client know of the end. */
  closed(): void;
  /** Lets the client know of the end when so many of its messages could not be written. */
  closedAfterFailures(count: number): void;
  /** The connection reports an error. */
  fail(message: string): void;
}

interface ClientMessage {
  readonly id?: number;
  readonly method?: string;
}

/** Starts a server that follows the script. The client's side of it is what the library uses for a forked process. */
export function fakeServer(script: ServerScript): FakeServer {
  const child = new EventEmitter();
  let dead = false;
  let failures = 0;
  let failuresToClose = Number.POSITIVE_INFINITY;
  let asked: number | undefined;
  const server: FakeServer = {
    transports: {
      reader: new IPCMessageReader(Object.assign(child, { send }) as unknown as ChildProcess),
      writer: new IPCMessageWriter(child as unknown as ChildProcess),
    },
    answer(method) {
      if (asked !== undefined) {
        const result = method === 'initialize' ? { capabilities: {} } : null;
        child.emit('message', { jsonrpc: '2.0', id: asked, result });
      }
    },
    request(count) {
      for (let id = 1; id <= count; id++) {
        child.emit('message', { jsonrpc: '2.0', id, method: 'test/request' });
      }
    },
    die() {
      dead = true;
    },
    closed() {
      child.emit('close');
    },
    closedAfterFailures(count) {
      failuresToClose = count;
    },
    fail(message) {
      child.emit('error', new Error(message));
    },
  };
  return server;

  /** As a forked process has it: a failure is told in the next tick. */
  function send(message: ClientMessage, _handle: undefined, _options: undefined, done: (error?: Error) => void): void {
    process.nextTick(() => {
      if (dead) {
        done(new Error('write EPIPE'));
        failures++;
        if (failures === failuresToClose) {
          server.closed();
        }
        return;
      }
      done();
      if (message.method !== undefined) {
        asked = message.id;
        script(server, message.method);
      }
    });
  }
}
