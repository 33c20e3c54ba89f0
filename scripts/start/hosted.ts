import { pathToFileURL } from 'node:url';
import { ensureHost } from '../../test/host/install.ts';
import { makeProfile, writeSettings } from '../../test/host/profile.ts';
import { installExtension, type Server, startServer } from '../../test/host/server.ts';
import { startSettings } from './settings.ts';
import { packSidebarOpener } from './sidebarOpener.ts';

/** A VS Code that waits for a browser. */
export interface Hosted {
  readonly server: Server;
  /** Opens the folder; holds the token. */
  readonly address: string;
}

/** Serves a VS Code with the packed extension on this machine's loopback interface, until the process is ended. */
export async function openHosted(vsix: string, folder: string): Promise<number> {
  const { server, address } = await serveHosted(vsix, folder);
  console.log(`Open this address in a browser (the token in it is the key to this VS Code):\n\n  ${address}\n`);
  console.log('Press Ctrl-C to stop.');
  await server.ended;
  throw new Error(`VS Code's server ended by itself.`);
}

/** Starts the server; whoever opens the address sees the folder's README, and our sidebar beside it. */
export async function serveHosted(vsix: string, folder: string): Promise<Hosted> {
  ensureHost();
  const profile = makeProfile();
  writeSettings(profile, startSettings);
  await installExtension(profile, vsix);
  await installExtension(profile, await packSidebarOpener());
  const server = await startServer(profile);
  const address = new URL(`http://127.0.0.1:${server.port}/`);
  address.searchParams.set('tkn', server.token);
  // a folder that the server is told of gets another address than its files have, and each file opens twice
  address.searchParams.set('folder', decodeURIComponent(pathToFileURL(folder).pathname));
  return { server, address: address.href };
}
