import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A proxy that lets nobody through. */
export interface OtherHosts {
  /** With which a program finds nobody but this machine. */
  readonly env: Readonly<Record<string, string>>;
  /** `host:port` of each that was asked for. */
  readonly wanted: readonly string[];
}

export async function refuseOtherHosts(t: Pick<TestContext, 'after'>): Promise<OtherHosts> {
  const wanted: string[] = [];
  const server = createServer((asked, response) => {
    wanted.push(asked.url ?? '');
    response.writeHead(403).end();
  });
  server.on('connect', (asked, socket) => {
    wanted.push(asked.url ?? '');
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap(name => [name, name.toLowerCase()]);
  const proxies = Object.fromEntries(names.map(name => [name, proxy]));
  return { env: { ...proxies, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' }, wanted };
}
