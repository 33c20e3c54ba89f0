import { AGENT_IDS, agentSetup, type Shell, shellLines } from '../../local/gatewayAgents.ts';
import type { GatewayStarted } from '../../local/gatewayStarted.ts';
import { complain, EXIT } from '../command.ts';
import { shownPath } from '../paths.ts';
import { printable, printableJson } from '../printable.ts';
import type { Style } from '../style.ts';
import { listed } from '../words.ts';
import { unnamedFiles } from './contextFiles.ts';
import { detours } from './knownAgents.ts';
import type { GatewayFlags } from './settings.ts';
import { type Started, startFromFlags } from './startFromFlags.ts';
import { untilStopped } from './untilStopped.ts';

export interface ServeFlags extends GatewayFlags {
  readonly json?: true;
}

/** Runs a gateway until somebody ends it; gives the exit code. */
export async function serve(flags: ServeFlags, style: Style): Promise<number> {
  const stopped = untilStopped(flags.json ?? false);
  try {
    return await serveUntil(stopped, flags, style);
  } finally {
    // An input that is still open would keep the program running.
    process.stdin.destroy();
  }
}

async function serveUntil(stopped: Promise<void>, flags: ServeFlags, style: Style): Promise<number> {
  const started = await startFromFlags(flags, { notice: sentence => complain('gateway', sentence) });
  if (started === undefined) {
    return EXIT.unreadable;
  }
  process.stdout.write(flags.json ? `${printableJson(forPrograms(started))}\n` : forPeople(started, style));
  await stopped;
  await started.gateway.close();
  return EXIT.clean;
}

function notesOf({ cwd, env, settings: { upstreams }, sources }: Started): readonly string[] {
  const variables = ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'];
  return [...unnamedFiles(cwd, sources, 'other'), ...detours({ id: 'other', env, upstreams }, variables)];
}

function forPrograms(started: Started): GatewayStarted {
  const { address, hookAddress, port } = started.gateway;
  return { address, hookAddress, port, sources: started.sources, notes: notesOf(started) };
}

function forPeople(started: Started, style: Style): string {
  const { gateway, settings, cwd, sources } = started;
  const shell: Shell = process.platform === 'win32' ? 'powershell' : 'posix';
  const agents = AGENT_IDS.flatMap(id => {
    const setup = agentSetup(id, gateway, settings.session);
    return ['', style('bold', setup.name), ...shellLines(setup, shell).map(line => style('green', `  ${line}`))];
  });
  return [
    style('bold', `The gateway listens on 127.0.0.1:${gateway.port} until you press Ctrl-C.`),
    sources.length === 0
      ? "Sources: none, so no block counts but those of files that Claude Code's own hook names."
      : `Sources: ${listed(sources.map(path => printable(shownPath(path, cwd))))}`,
    ...notesOf(started).map(note => style('yellow', printable(note))),
    '',
    'Paste the lines of your agent into the shell in which you start it. The address is a secret: whoever knows it may use the gateway.',
    ...agents,
    '',
    `Agents that send no session of their own are told apart by the name in the address (here ${settings.session}): give each one its own.`,
    '',
  ].join('\n');
}
