import { randomBytes } from 'node:crypto';
import { commands, type Disposable, env, l10n, type Memento, ThemeIcon, window, workspace } from 'vscode';
import {
  AGENT_IDS,
  type AgentSetup,
  agentSetup,
  commandLine,
  type Shell,
  shellLines,
} from '../../local/gatewayAgents.ts';
import type { GatewayStarted } from '../../local/gatewayStarted.ts';
import { GATEWAY_COMMANDS } from '../names.ts';
import { withoutIcons } from '../session/plainWords.ts';
import { sayUntrusted } from '../untrusted.ts';
import type { FetchDeclaredBlocks } from '../views/declaredBlocksView.ts';
import { type Gateway, workFolder } from './gateway.ts';
import { pickSources } from './sourcePick.ts';

export interface GatewayCommandNeeds {
  readonly gateway: Gateway;
  readonly fetch: FetchDeclaredBlocks;
  /** Of the workspace. */
  readonly memory: Memento;
}

/** Registers the commands of the gateway. Each has an answer while none runs, and where none may. */
export function registerGatewayCommands(needs: GatewayCommandNeeds): readonly Disposable[] {
  const handlers: Readonly<Record<keyof typeof GATEWAY_COMMANDS, () => Promise<unknown>>> = {
    gatewayStart: () => start(needs),
    gatewayStop: () => stop(needs),
    gatewayCopyEnvironment: () => withAgent(needs, l10n.t('Copy Environment'), copyEnvironment),
    gatewayOpenTerminal: () => withAgent(needs, l10n.t('Open Terminal'), openTerminal),
  };
  return Object.entries(GATEWAY_COMMANDS).map(([name, id]) =>
    commands.registerCommand(id, () =>
      workspace.isTrusted
        ? handlers[name as keyof typeof GATEWAY_COMMANDS]()
        : sayUntrusted(l10n.t('This workspace is not trusted, so no gateway is started in it.')),
    ),
  );
}

async function start(needs: GatewayCommandNeeds): Promise<void> {
  const started = await running(needs);
  if (!started) {
    return;
  }
  const terminal = l10n.t('Open Terminal…');
  const copy = l10n.t('Copy Environment…');
  const answer = await window.showInformationMessage(
    l10n.t('The gateway is running on port {0}. Agents that use it obey the tags.', String(started.port)),
    terminal,
    copy,
  );
  if (answer === terminal) {
    await commands.executeCommand(GATEWAY_COMMANDS.gatewayOpenTerminal);
  } else if (answer === copy) {
    await commands.executeCommand(GATEWAY_COMMANDS.gatewayCopyEnvironment);
  }
}

/** The gateway that runs, or a new one; absent where a person wants none after all, or it could not start. */
async function running({ gateway, fetch, memory }: GatewayCommandNeeds): Promise<GatewayStarted | undefined> {
  if (gateway.busy) {
    return gateway.running();
  }
  const sources = await pickSources(fetch, memory);
  return sources === undefined || gateway.busy ? gateway.running() : gateway.start(sources);
}

async function stop({ gateway }: GatewayCommandNeeds): Promise<void> {
  if (!gateway.busy) {
    void window.showInformationMessage(l10n.t('No gateway is running.'));
    return;
  }
  await gateway.stop();
}

async function withAgent(
  needs: GatewayCommandNeeds,
  title: string,
  act: (setup: AgentSetup) => Promise<void>,
): Promise<void> {
  if (!needs.gateway.busy) {
    const begin = l10n.t('Start Gateway');
    if ((await window.showInformationMessage(l10n.t('No gateway is running.'), begin)) !== begin) {
      return;
    }
  }
  const started = await running(needs);
  if (!started) {
    return;
  }
  // A name of its own for each, so that agents that send no session are not taken for one another.
  const name = randomBytes(8).toString('hex');
  const items = AGENT_IDS.map(id => agentSetup(id, started, name)).map(setup => ({
    setup,
    label: setup.id === 'other' ? l10n.t('Other agents') : setup.name,
    description: withoutIcons(Object.keys(setup.env).join(', ') || (setup.command ?? '')),
  }));
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('The agent that should use the gateway'),
  });
  if (chosen) {
    await act(chosen.setup);
  }
}

async function copyEnvironment(setup: AgentSetup): Promise<void> {
  const shell: Shell = process.platform === 'win32' ? 'powershell' : 'posix';
  await env.clipboard.writeText(`${shellLines(setup, shell).join('\n')}\n`);
  void window.showInformationMessage(
    l10n.t(
      'Copied. Paste it into the shell in which you start the agent. The address is a secret until the gateway stops.',
    ),
  );
}

/** The editor would bring the terminal back after a restart, with the address of a gateway that is gone: so it is transient. */
async function openTerminal(setup: AgentSetup): Promise<void> {
  const terminal = window.createTerminal({
    name: setup.name,
    cwd: workFolder(),
    env: setup.env,
    isTransient: true,
    iconPath: new ThemeIcon('broadcast'),
  });
  terminal.show();
  const line = setup.args.length > 0 ? commandLine(setup) : undefined;
  if (line !== undefined) {
    // Typed, not run: it is for the person to start an agent.
    terminal.sendText(line, false);
  }
}
