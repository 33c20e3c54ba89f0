import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Provider } from '../apis/gatewayApi.ts';
import type { GatewayCalls } from '../gatewayCall.ts';
import { answer, type GatewayHouse } from './agentRequest.ts';
import { answerInWords, endConnection, forbid, refuseUpgrade } from './ownAnswers.ts';
import { admit, type Door, isWebSocket, newGatewayToken } from './requestGuard.ts';
import { SERVER_LIMITS, SERVER_OPTIONS } from './serverLimits.ts';
import { Upstreams } from './upstream.ts';

export interface GatewayServerOptions {
  /** Stays open when the server is closed. */
  readonly calls: GatewayCalls;
  /** What stands in front of the path that an agent asks for. */
  readonly upstreams: Readonly<Record<Provider, URL>>;
  /** 0: one that is free. */
  readonly port: number;
  /** At least 128 bits in hex; made where it is left out. */
  readonly token?: string;
  /** Hears each sentence that the person should see. */
  onNotice?(sentence: string): void;
  /** Hears of errors that should not be. They hold no token, but may quote a request. */
  onFault?(error: unknown): void;
}

export interface GatewayServer {
  readonly port: number;
  readonly token: string;
  readonly hookToken: string;
  /** Ends all connections, running answers too. Resolves when nothing is left. */
  close(): Promise<void>;
}

/** Starts the gateway's door on 127.0.0.1. Throws, with a sentence, where the port or an upstream cannot be used. */
export async function startGatewayServer(options: GatewayServerOptions): Promise<GatewayServer> {
  const token = options.token ?? newGatewayToken();
  if (!/^[0-9a-f]{32,}$/.test(token)) {
    throw new Error('The token of the gateway must be at least 32 hex digits. Leave it out to have one made.');
  }
  const hookToken = newGatewayToken();
  const house: GatewayHouse = {
    calls: options.calls,
    upstreams: new Upstreams(options.upstreams),
    onNotice: sentence => options.onNotice?.(sentence),
    onFault: error => options.onFault?.(error),
  };
  const server = createServer(SERVER_OPTIONS);
  server.maxConnections = SERVER_LIMITS.connections;
  // Node would drop the header lines beyond the 2,000th without a word; their size is bounded.
  server.maxHeadersCount = 0;
  try {
    const port = await listen(server, options.port);
    const { sockets, running } = openDoor(server, { token, hookToken, port }, house);
    return { port, token, hookToken, close: () => closeAll(server, sockets, running, house) };
  } catch (error) {
    await house.upstreams.close();
    throw error;
  }
}

interface Open {
  readonly sockets: ReadonlySet<Socket>;
  /** One for each request that has no whole answer yet. */
  readonly running: ReadonlySet<AbortController>;
}

function openDoor(server: Server, door: Door, house: GatewayHouse): Open {
  const sockets = new Set<Socket>();
  const running = new Set<AbortController>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const take = (request: IncomingMessage, response: ServerResponse, expects?: 'continue' | 'more'): void => {
    // Writing to an agent that went away is no fault: `close` tells of it.
    response.on('error', () => {});
    const target = admit(request, door);
    if (!target) {
      forbid(response);
      return;
    }
    if (isWebSocket(request)) {
      refuseUpgrade(response);
      return;
    }
    if (expects === 'more') {
      answerInWords(response, 417, 'The gateway knows no expectation but 100-continue.');
      return;
    }
    if (expects === 'continue') {
      response.writeContinue();
    }
    const gone = new AbortController();
    running.add(gone);
    const over = (): void => {
      running.delete(gone);
      request.socket.off('close', over);
      if (!response.writableFinished) {
        gone.abort();
      }
    };
    response.once('close', over);
    // An answer that waits behind another one is not told.
    request.socket.once('close', over);
    void answer({ request, response, target, signal: gone.signal }, house);
  };
  server.on('request', (request, response) => take(request, response));
  server.on('checkContinue', (request, response) => take(request, response, 'continue'));
  server.on('checkExpectation', (request, response) => take(request, response, 'more'));
  server.on('connect', (_request, socket: Duplex) => endConnection(socket));
  return { sockets, running };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          `The gateway cannot listen on port ${port} of this machine (${error.code}). Choose another with --port.`,
        ),
      ),
    );
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => resolve((server.address() as AddressInfo).port));
  });
}

async function closeAll(
  server: Server,
  sockets: ReadonlySet<Socket>,
  running: ReadonlySet<AbortController>,
  house: GatewayHouse,
): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  for (const gone of running) {
    gone.abort();
  }
  for (const socket of sockets) {
    socket.destroy();
  }
  await Promise.all([closed, house.upstreams.close()]);
}
