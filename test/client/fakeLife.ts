import { type ClientSignals, type LifeClient, type ServerCondition, ServerLife } from '../../client/serverLife.ts';

/** A client whose start and end happen when the test says so. */
export class FakeClient implements LifeClient {
  readonly signals: ClientSignals;
  readonly started = deferred();
  readonly ended = deferred();
  starts = 0;
  disposals = 0;

  constructor(signals: ClientSignals) {
    this.signals = signals;
  }

  start(): Promise<void> {
    this.starts++;
    return this.started.promise;
  }

  dispose(): Promise<void> {
    this.disposals++;
    return this.ended.promise;
  }
}

function deferred() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** A life with fake clients, and all that it made and said. */
export function lifeOf(startDeadline = 60_000) {
  const clients: FakeClient[] = [];
  const reports: ServerCondition[] = [];
  const log: string[] = [];
  const life = new ServerLife<FakeClient>({
    makeClient: signals => {
      const client = new FakeClient(signals);
      clients.push(client);
      return client;
    },
    report: condition => reports.push(condition),
    log: text => log.push(text),
    startDeadline,
  });
  return { life, clients, reports, log, states: () => reports.map(({ state }) => state) };
}

/** Lets every promise that can go on go on. */
export const settle = () => new Promise<void>(resolve => setImmediate(resolve));
