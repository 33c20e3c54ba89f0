import type { RequestInput, Sealed, Session } from '../../../adapter/sessionTypes.ts';
import { initialState } from '../../../protocol/log/reduce.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';

/** What an adapter asked of a session, in order. */
export interface FakeSession {
  readonly session: Session;
  readonly calls: readonly (readonly unknown[])[];
  /** What `buildRequest` does next; absent: seals the messages as they are. */
  next: ((input: RequestInput) => Partial<Sealed>) | undefined;
  /** Tells whoever listens to the session's events. */
  emit(event: LogEvent): void;
}

/** A session that obeys nothing and writes down what it is asked, to see an adapter alone. */
export function fakeSession(): FakeSession {
  const calls: unknown[][] = [];
  const listeners: ((event: LogEvent) => void)[] = [];
  let requestSequence = 0;
  const noted =
    <Value>(name: string, value: Value) =>
    (...args: unknown[]): Value => {
      calls.push([name, ...args]);
      return value;
    };
  const fake: FakeSession = {
    calls,
    next: undefined,
    emit: event => listeners.forEach(listener => listener(event)),
    session: {
      id: 's',
      logFile: '/logs/s.jsonl',
      state: initialState,
      notices: [],
      loadSource: noted('loadSource', []),
      control: noted('control', [{ blockId: 'plan', outcome: 'discarded' }] as const),
      contributePrefix: noted('contributePrefix', undefined),
      inject: noted('inject', undefined),
      withoutDefinitions: text => text.replaceAll(/<!--BLOCK_ID[^]*?<!--\/BLOCK_ID:[a-z]+-->\n/g, ''),
      buildRequest: async input => {
        calls.push(['buildRequest', input]);
        requestSequence += 1;
        const sealed: Sealed = {
          messages: input.messages,
          origins: input.messages.map((_, index) => index),
          hosts: input.messages.map((_, index) => index),
          config: input.config,
          requestSequence,
          hash: '',
        };
        return { ...sealed, ...fake.next?.(input) };
      },
      beginRequest: async input => {
        const header = { ...input, config: {} };
        const sealed = await fake.session.buildRequest(header);
        return {
          ...sealed,
          seal: async parts => {
            calls.push(['seal', parts]);
            return { ...sealed, ...parts };
          },
        };
      },
      response: noted('response', undefined),
      receipt: noted('receipt', undefined),
      setTier1: noted('setTier1', false),
      updateTier1: noted('updateTier1', 'off' as const),
      rebasePrefix: noted('rebasePrefix', 'off' as const),
      unloadDocument: noted('unloadDocument', false),
      usageReport: noted('usageReport', undefined),
      whatIf: noted('whatIf', undefined),
      onEvent: listener => {
        listeners.push(listener);
        return () => undefined;
      },
      close: async reason => {
        calls.push(['close', reason]);
      },
    },
  };
  return fake;
}
