import { setTimeout } from 'node:timers/promises';
import { startGroup } from '../../test/host/processGroup.ts';
import { makeTemporaryFolder } from '../../test/host/profile.ts';
import { inRepository } from '../build/paths.ts';
import { runNode } from '../build/tools.ts';

/** Milliseconds between two things that happen: slow enough to follow with the eyes. */
const paceMilliseconds = 1500;
const liveMilliseconds = 60_000;
const lookMilliseconds = 200;

/** A session that goes on until this process ends, so that every view has something live to show. */
export interface DemoSession {
  /** Where its logs and announcements lie. */
  readonly home: string;
  /**
   * Waits until the command line lists the session as live and its first request can be read; returns what it saw, as one line.
   * Throws when that takes more than a minute or the session has ended.
   */
  untilLive(): Promise<string>;
}

/**
 * Starts the demo in the folder as a child of this process. Its logs go to a folder that is removed at the end, and whatever
 * this process starts from now on looks for sessions there.
 */
export function startDemoSession(folder: string): DemoSession {
  const home = makeTemporaryFolder('home');
  process.env['CONTEXT_LIFECYCLE_HOME'] = home;
  const args = [inRepository('dist/cli.js'), 'demo', '--keep-open', '--pace', String(paceMilliseconds)];
  const { child } = startGroup(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  // it ends with this process, and keeps it from nothing
  child.unref();
  let ended = false;
  child.once('error', error => console.error(`The demo session could not be started: ${error.message}`));
  child.once('exit', code => {
    ended = true;
    console.error(`The demo session ended (exit code ${code ?? 'none'}).`);
  });
  return { home, untilLive: () => untilLive(folder, () => ended) };
}

async function untilLive(folder: string, hasEnded: () => boolean): Promise<string> {
  const deadline = Date.now() + liveMilliseconds;
  for (;;) {
    if (hasEnded()) throw new Error('The demo session ended before it could be seen.');
    const seen = await liveSession(folder);
    if (seen !== undefined) return seen;
    if (Date.now() > deadline) throw new Error('The demo session was not live within a minute.');
    await setTimeout(lookMilliseconds);
  }
}

async function liveSession(folder: string): Promise<string | undefined> {
  const { stdout } = await runNode([inRepository('dist/cli.js'), 'sessions', '--json'], folder);
  const { sessions } = JSON.parse(stdout) as Listed;
  const session = sessions.find(({ live, announced, requests }) => live && announced && (requests ?? 0) > 0);
  if (!session) return undefined;
  const { short, pid, requests, blocks } = session;
  const { exitCode, stdout: request } = await runNode([inRepository('dist/cli.js'), 'show', short, '1'], folder);
  if (exitCode !== 0) return undefined;
  const counts = `${requests} sealed, blocks: ${blocks?.active} active, ${blocks?.discarded} discarded`;
  const first = `request 1 has ${Buffer.byteLength(request)} bytes`;
  return `Saw the demo session ${short} live (process ${pid}; requests: ${counts}; ${first}).`;
}

interface Listed {
  readonly sessions: readonly {
    readonly short: string;
    readonly live: boolean;
    readonly announced?: boolean;
    readonly pid?: number;
    readonly requests?: number;
    readonly blocks?: { readonly active: number; readonly discarded: number };
  }[];
}
