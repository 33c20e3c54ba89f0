import { join } from 'node:path';
import { ensureHost } from '../../test/host/install.ts';
import { makeProfile, writeSettings } from '../../test/host/profile.ts';
import { installExtension, startServer } from '../../test/host/server.ts';
import { workbenchUrl } from '../../test/host/workbench.ts';

/** Serves a VS Code with the packed extension on this machine's loopback interface, until the process is ended. */
export async function openHosted(vsix: string, folder: string): Promise<number> {
  ensureHost();
  const profile = makeProfile();
  writeSettings(profile);
  await installExtension(profile, vsix);
  const server = await startServer(profile);
  const url = new URL(workbenchUrl(server, { workspace: folder, file: join(folder, 'AGENTS.md') }));
  url.searchParams.set('tkn', server.token);
  console.log(`Open this address in a browser (the token in it is the key to this VS Code):\n\n  ${url.href}\n`);
  console.log('Press Ctrl-C to stop.');
  await server.ended;
  throw new Error(`VS Code's server ended by itself.`);
}
