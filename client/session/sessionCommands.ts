import { commands, type Disposable, l10n, window, workspace } from 'vscode';
import { SESSION_COMMANDS } from '../names.ts';
import { sayUntrusted } from '../untrusted.ts';
import { type Given, subjectOf } from '../views/given.ts';
import type { Wording } from '../views/wording.ts';
import type { Demo } from './demo.ts';
import { inNotification } from './plainWords.ts';
import type { SessionFinder } from './sessionFinder.ts';
import { openSessionLog, removeSessionLog } from './sessionLogCommands.ts';
import type { PanelSession } from './sessionModel.ts';
import { pickFound, pickSession } from './sessionPicks.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

export interface SessionCommandNeeds {
  readonly registry: SessionRegistry;
  /** Absent where sessions cannot be looked for. */
  readonly finder: () => SessionFinder | undefined;
  /** Where logs lie. */
  readonly logs: string;
  readonly demo: Demo;
  readonly wording: Wording;
}

/** Registers the commands about sessions. Each has an answer while nothing is connected, and where nothing may be. */
export function registerSessionCommands(needs: SessionCommandNeeds): readonly Disposable[] {
  const { registry, finder, logs, demo, wording } = needs;
  const handlers: Readonly<Record<keyof typeof SESSION_COMMANDS, (given: Given) => Promise<unknown>>> = {
    connect: given => connect(registry, finder(), sessionOf(registry, given)),
    disconnect: given => disconnect(registry, sessionOf(registry, given)),
    removeSession: given => removeSession(registry, sessionOf(registry, given)),
    openSessionLog: () => openSessionLog(registry, logs, wording),
    deleteSessionLog: () => removeSessionLog(registry, logs, wording),
    startDemoSession: () => demo.start(),
  };
  return Object.entries(SESSION_COMMANDS).map(([name, id]) =>
    commands.registerCommand(id, (given: Given) =>
      workspace.isTrusted
        ? handlers[name as keyof typeof SESSION_COMMANDS](given)
        : sayUntrusted(
            l10n.t('This workspace is not trusted, so no session is looked at in it. Checking and editing work.'),
          ),
    ),
  );
}

/** The session of a row; absent where the palette or a link asks. */
function sessionOf(registry: SessionRegistry, given: Given): PanelSession | undefined {
  const { session } = subjectOf(given, registry);
  return session === undefined ? undefined : registry.all.find(({ key }) => key === session);
}

async function connect(
  registry: SessionRegistry,
  finder: SessionFinder | undefined,
  session: PanelSession | undefined,
): Promise<void> {
  await finder?.refresh();
  if (session) {
    attach(registry, session.header.id);
    return;
  }
  const { found } = registry;
  if (found.length === 0) {
    await sayNothingRuns(finder?.refused[0]?.sentence);
    return;
  }
  const chosen = await pickFound(found, id => registry.withId(id)?.link.kind === 'connected');
  if (chosen) {
    attach(registry, chosen.session);
  }
}

function attach(registry: SessionRegistry, id: string): void {
  if (!registry.attach(id)) {
    void window.showInformationMessage(l10n.t('This session has ended. Its log can still be opened.'));
  }
}

async function sayNothingRuns(refused: string | undefined): Promise<void> {
  const demo = l10n.t('Start Demo Session');
  const log = l10n.t('Open Session Log');
  const text = l10n.t(
    'No session is running. Start an agent that has the adapter, or look at a demo or at an old log.',
  );
  const answer = await window.showInformationMessage(
    refused === undefined ? text : `${inNotification(refused)} ${text}`,
    demo,
    log,
  );
  if (answer === demo) {
    await commands.executeCommand(SESSION_COMMANDS.startDemoSession);
  } else if (answer === log) {
    await commands.executeCommand(SESSION_COMMANDS.openSessionLog);
  }
}

/** Of those that are, or are tried to be, connected. */
async function disconnect(registry: SessionRegistry, given: PanelSession | undefined): Promise<void> {
  const live = registry.all.filter(({ link }) => link.kind !== 'ended' && link.kind !== 'past');
  const [only, ...others] = live;
  if (!only) {
    void window.showInformationMessage(l10n.t('No session is connected.'));
    return;
  }
  const chosen = given ?? (others.length === 0 ? only : await pickSession(live, l10n.t('Disconnect')));
  if (chosen) {
    registry.detach(chosen.key);
  }
}

/** Of those of which nothing changes any more. */
async function removeSession(registry: SessionRegistry, given: PanelSession | undefined): Promise<void> {
  const over = registry.all.filter(({ link }) => link.kind === 'ended' || link.kind === 'past');
  if (over.length === 0) {
    void window.showInformationMessage(l10n.t('No session that is over is shown.'));
    return;
  }
  const [only, ...others] = over;
  const asked = given ?? (others.length === 0 ? only : await pickSession(over, l10n.t('Remove')));
  const chosen = over.find(({ key }) => key === asked?.key);
  if (chosen) {
    registry.detach(chosen.key);
  }
}
