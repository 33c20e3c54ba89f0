import { ensureHost } from '../../test/host/install.ts';
import { makeProfile, writeSettings } from '../../test/host/profile.ts';
import { installExtension, startServer } from '../../test/host/server.ts';

/** Serves a VS Code with the packed extension on this machine's loopback interface, until the process is ended. */
export async function openHosted(vsix: string, folder: string): Promise<number> {
  ensureHost();
  const profile = makeProfile();
  writeSettings(profile, { 'workbench.startupEditor': 'readme' });
  await installExtension(profile, vsix);
  const server = await startServer(profile, { defaultFolder: folder });
  console.log(
    `Open this address in a browser (the token in it is the key to this VS Code):\n\n  http://127.0.0.1:${server.port}/?tkn=${server.token}\n`,
  );
  console.log('Press Ctrl-C to stop.');
  await server.ended;
  throw new Error(`VS Code's server ended by itself.`);
}
