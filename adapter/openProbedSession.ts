import { folders, foldersIn } from '../local/folders.ts';
import { tidyLogs } from '../local/tidying.ts';
import { readUserConfig } from '../local/userConfig.ts';
import { DEFAULT_POLICY } from '../protocol/lifecycle/defaultPolicy.ts';
import type { LifecycleEvent } from '../protocol/lifecycle/lifecycleEvents.ts';
import { LifecycleSession } from '../protocol/lifecycle/lifecycleSession.ts';
import { seedTwoFormat } from '../protocol/lifecycle/seedTwoFormat.ts';
import type { ReadWork } from '../protocol/lifecycle/unit.ts';
import { isDigest } from '../protocol/log/digest.ts';
import type { SessionState } from '../protocol/log/sessionState.ts';
import { type Appended, appendedOf } from '../protocol/request/appended.ts';
import type { StartSha256 } from '../protocol/request/hashing.ts';
import { AgentSession } from './agentSession.ts';
import { AppendedMessages } from './appendedMessages.ts';
import { beginInstance } from './beginInstance.ts';
import { startBudget } from './budget/startBudget.ts';
import { withGivenConfig } from './givenConfig.ts';
import { sha256, startSha256 } from './hashing.ts';
import type { SessionHost } from './host/sessionHost.ts';
import { meterOf } from './meterOf.ts';
import { NewUnits } from './newUnits.ts';
import { RequestBuilder } from './requestBuilder.ts';
import type { SessionLog } from './sessionLog.ts';
import type { SessionOptions } from './sessionTypes.ts';
import { startLog } from './startLog.ts';
import { loadUserSources } from './userSources.ts';
import { watchSession } from './watchSession.ts';

/** What tests look at to see what a session costs. */
export interface SessionProbes {
  /** Counts what views cost. */
  readonly work?: ReadWork;
  /** Hashes sealed texts in place of the usual one. */
  readonly startHash?: StartSha256;
  /** Is given what watchers connect to. */
  readonly hosted?: (host: SessionHost) => void;
}

/** `openSession` with somebody who looks inside. */
export async function openProbedSession(options: SessionOptions, probes: SessionProbes): Promise<AgentSession> {
  const places = options.folder === undefined ? folders() : foldersIn(options.folder);
  const now = options.now ?? Date.now;
  const user = readUserConfig(places.configFile);
  const { agent, sessionId, forkedFrom, parent, cwd, format = seedTwoFormat } = options;
  const policy = options.policy ?? user.config.policy ?? DEFAULT_POLICY;
  const config = withGivenConfig(user.config, options.config);
  const hashes = config.content === 'hashes';
  const started = await startLog({ folder: places.sessions, agent, sessionId, forkedFrom, parent, cwd, now });
  const { writer, log, past } = started;
  try {
    const lifecycle = new LifecycleSession({
      policy,
      format,
      sha256,
      ...(probes.work && { work: probes.work }),
      log: {
        state: () => log.state.lifecycle,
        append: event => {
          log.append(hashes ? withoutText(event) : event);
        },
        requestSequence: () => nextRequest(log.state),
      },
    });
    const units = new NewUnits();
    lifecycle.remember(past);
    const [earlier, lost] = appendedBefore(log);
    const appended = new AppendedMessages(earlier, unshownIn(log));
    const meter = meterOf({ ...options, config }, format, log);
    const said = [...started.notices, ...lost, ...user.problems];
    beginInstance(log, started, said, { ...options, policy, format, config });
    const { configFile } = places;
    const isNew = started.reason === 'new' && past.length === 0 && !options.hasHistory;
    const {
      layer: budget,
      putBack,
      notices: taken,
    } = startBudget({
      settings: config.budget,
      log,
      lifecycle,
      format,
      meter,
      hashes,
      agent,
      pause: options.pause,
      summaries: options.summaries,
      configFile,
      handoff: isNew ? options.handoff : undefined,
      handoffs: isNew && parent === undefined ? places.handoffs : undefined,
      cwd,
    });
    const notices = [...places.notices, ...said, ...taken];
    const session = new AgentSession({
      id: started.header.id,
      writer,
      log,
      lifecycle,
      format,
      hashes,
      meter,
      budget,
      crossCheck: config.crossCheck,
      builder: new RequestBuilder({
        log,
        lifecycle,
        format,
        hashes,
        reportsEnds: options.reportsEnds ?? false,
        units,
        appended,
        meter,
        budget,
        startHash: probes.startHash ?? startSha256,
      }),
      appended,
      notices,
    });
    notices.push(...loadUserSources(session, user.config.sources));
    if (config.announce) {
      const { header } = started;
      const { transcript } = options;
      const watching = { folder: places.run, session, log, header, transcript, policy, hashes, now };
      await watchSession(watching).then(probes.hosted, error => {
        notices.push(`Nobody can watch this session: ${sentenceOf(error)}`);
      });
    }
    if (putBack) {
      const { onClose } = session;
      session.onClose = async reason => {
        putBackUnshown(log.state, putBack);
        await onClose(reason);
      };
    }
    const { retentionDays: days, retentionBytes: bytes } = config;
    // What is old is nobody's reason to wait.
    void tidyLogs(places.sessions, { days, bytes });
    return session;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Who ends a session without a request has not gone on from anything. */
function putBackUnshown({ requests }: SessionState, putBack: () => void): void {
  if (requests.length === 0) {
    try {
      putBack();
    } catch {
      // The session says that its summaries are missing when it is opened again.
    }
  }
}

/** The number of the request that shows what happens now: a step that has started shows no more than it did then. */
function nextRequest({ requests, step }: SessionState): number {
  const next = requests.length + 1;
  return step?.requestSequence === next ? next + 1 : next;
}

/** Blocks' texts are content. */
function withoutText(event: LifecycleEvent): LifecycleEvent {
  if (event.type !== 'block/activated') {
    return event;
  }
  const { text: _, ...data } = event.data;
  return { type: event.type, data };
}

/** The appended messages of the log, and what is to be said where it does not keep their content. */
function appendedBefore({ history }: SessionLog): readonly [readonly Appended[], readonly string[]] {
  const all = appendedOf(history.surface);
  const kept = all.filter(({ message }) => !isDigest(message['content']));
  const lost = all.length - kept.length;
  return [
    kept,
    lost === 0
      ? []
      : [`${lost} appended messages are no longer in the requests of this session, because its log keeps no content.`],
  ];
}

/** Keys of what was appended behind the last request. */
function unshownIn({ history, state }: SessionLog): readonly string[] {
  const lastSeal = state.requests.get(state.requests.length - 1)?.sealed.seq ?? -1;
  return history.surface.filter(({ seq }) => seq > lastSeal).flatMap(({ keys }) => keys);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
