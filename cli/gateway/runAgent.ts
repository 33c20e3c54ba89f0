import { agentSetup } from '../../local/gatewayAgents.ts';
import { complain, EXIT, note } from '../command.ts';
import { reasonOf } from '../failure.ts';
import { runAgentProcess } from './agentProcess.ts';
import { claudeSettings, hasOwnSettings } from './claudeSettings.ts';
import { unnamedFiles, whatCounts } from './contextFiles.ts';
import { agentOf, argumentPast, detours, type KnownAgent } from './knownAgents.ts';
import type { GatewayFlags } from './settings.ts';
import { startFromFlags } from './startFromFlags.ts';

/** Variables in which a person may have named a proxy, through which no program reaches another one on its own machine. */
const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];

/** Said at the end; more would be the same again. */
const MOST_SENTENCES = 100;

/**
 * Starts a gateway and an agent that uses it; gives the agent's exit code. `words` is the agent's command line. The gateway ends
 * with the agent.
 */
export async function runAgent(words: readonly string[], flags: GatewayFlags): Promise<number> {
  const known = agentOf(words);
  const own = words.slice(known.words);
  const past = argumentPast(known.id, own);
  if (past !== undefined) {
    complain('gateway', `With ${past} the agent would send its requests past the gateway. Leave it out.`);
    return EXIT.unreadable;
  }
  const later = new Set<string>();
  const tell = (sentence: string): void => complain('gateway', sentence);
  // An agent draws on the whole terminal; what is said meanwhile would be drawn over, or into it.
  const notice = process.stderr.isTTY
    ? (sentence: string) => void (later.size < MOST_SENTENCES && later.add(sentence))
    : tell;
  const variables = Object.keys(agentSetup(known.id, { address: '', hookAddress: '' }, '').env);
  const hasHook = known.id === 'claude-code' && !hasOwnSettings(own);
  const started = await startFromFlags(flags, {
    notice,
    hasHook,
    objections: ({ upstreams }) => detours({ id: known.id, env: process.env, upstreams }, variables),
  });
  if (started === undefined) {
    return EXIT.unreadable;
  }
  const { gateway, settings, cwd, sources } = started;
  const setup = agentSetup(known.id, gateway, settings.session);
  for (const hint of hasHook ? [] : unnamedFiles(cwd, sources, known.id)) {
    tell(hint);
  }
  note(whatCounts(cwd, sources, hasHook));
  try {
    return await runAgentProcess({
      program: words[0] ?? '',
      args: commandArguments(words, known, hasHook ? ['--settings', claudeSettings()] : setup.args),
      env: { ...process.env, ...withoutProxy(process.env), ...setup.env },
    });
  } catch (error) {
    complain(words[0] ?? '', `It could not be started. ${startFailure(error, words[0] ?? '')}`);
    return EXIT.unreadable;
  } finally {
    await gateway.close();
    for (const sentence of later) {
      tell(sentence);
    }
  }
}

/** Why, and what to do. A name without a folder was looked for on the PATH. */
function startFailure(error: unknown, program: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') {
    return /[\\/]/.test(program)
      ? 'There is no such file, or what its first line names is not there.'
      : 'No folder of your PATH has a program of this name. Install the agent, look at how it is written, or write the whole path of its program behind "--".';
  }
  return code === 'EACCES' ? 'You may not run this file. Make it executable, or name another one.' : reasonOf(error);
}

/** Ours stand before the agent's own, so that one of its sub-commands does not take them. */
function commandArguments(words: readonly string[], known: KnownAgent, ours: readonly string[]): readonly string[] {
  return [...words.slice(1, known.words), ...ours, ...words.slice(known.words)];
}

/** Empty where no proxy is named. */
function withoutProxy(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  if (!PROXIES.some(name => env[name])) {
    return {};
  }
  const exceptions = [env['NO_PROXY'] ?? env['no_proxy'], '127.0.0.1'].filter(Boolean).join(',');
  return { NO_PROXY: exceptions, no_proxy: exceptions };
}
