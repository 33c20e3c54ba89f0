import { allows } from '../protocol/lifecycle/defaultPolicy.ts';
import type { Policy } from '../protocol/lifecycle/policy.ts';
import type { LogHeader } from '../protocol/log/sessionEvents.ts';
import type { AgentSession } from './agentSession.ts';
import { SessionHost } from './host/sessionHost.ts';
import type { SealedText } from './host/watchedSession.ts';
import type { SessionLog } from './sessionLog.ts';

export interface Watching {
  /** Where sessions announce themselves. */
  readonly folder: string;
  readonly session: AgentSession;
  readonly log: SessionLog;
  readonly header: LogHeader;
  /** Where the host keeps its own transcript. */
  readonly transcript: string | undefined;
  readonly policy: Policy;
  readonly hashes: boolean;
  readonly now: () => number;
}

/** Lets watchers see a session until it is closed. Rejects as `SessionHost.start` does. */
export async function watchSession(watching: Watching): Promise<SessionHost> {
  const { folder, session, log, header, transcript, policy, hashes, now } = watching;
  // Whoever refuses an editor's discards refuses whatever else it would change.
  const mayChange = allows(policy, 'editor', 'editor', 'discard').allowed;
  const host = await SessionHost.start({
    folder,
    header,
    transcript,
    policy,
    now,
    events: () => log.committed,
    state: () => log.state,
    sealedText: requestSequence => sealedTextOf(log, requestSequence, hashes),
    whatIf: blockId => session.whatIf(blockId),
    discard(blockId, connection) {
      const asker = { source: 'editor', class: 'editor', trigger: 'watcher', connection } as const;
      return session.discard(blockId, asker);
    },
    whatIfCompressed: () => session.budget.whatIfCompressed(),
    tier1: () => session.budget.tier1,
    updateTier1(id, value, connection) {
      const asker = { source: connection, class: 'editor' } as const;
      return mayChange ? session.budget.updateTier1(id, value, asker) : session.budget.denyTier1(id, asker);
    },
    rebasePrefix(connection) {
      const asker = { source: connection, class: 'editor' } as const;
      return mayChange ? session.budget.rebasePrefix(asker) : session.budget.denyTier1('all', asker);
    },
  });
  session.onEvent(() => host.push());
  session.onClose = reason => host.close(reason);
  return host;
}

function sealedTextOf(log: SessionLog, requestSequence: number, hashes: boolean): SealedText | undefined {
  const sealed = log.state.requests.get(requestSequence - 1)?.sealed;
  // Nobody is told of what is not on disk.
  const text = sealed && sealed.seq < log.committed.length ? log.history.sealedText(requestSequence) : undefined;
  return text === undefined ? undefined : { text, hash: sealed?.hash ?? '', content: hashes ? 'hashes' : 'full' };
}
