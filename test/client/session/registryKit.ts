import type { TestContext } from 'node:test';
import { isGone, SessionFinder } from '../../../client/session/sessionFinder.ts';
import { type RegistryOptions, SessionRegistry } from '../../../client/session/sessionRegistry.ts';
import { connectToSession } from '../../../local/sessionConnection.ts';
import { inTime } from '../../server/deadline.ts';

export interface Window {
  readonly registry: SessionRegistry;
  readonly finder: SessionFinder;
  /** How often a listener was called. */
  readonly told: () => number;
  readonly remembered: () => Parameters<RegistryOptions['remember']>[0] | undefined;
  readonly refusals: readonly string[];
  /** Waits until a change makes it so. */
  until(what: string, isSo: () => boolean): Promise<void>;
  dispose(): void;
}

/** A window's sessions with the folder where they announce themselves; ended after the test. */
export function openWindow(t: TestContext, folders: readonly string[], options: Partial<RegistryOptions> = {}): Window {
  let told = 0;
  let remembered: ReturnType<Window['remembered']>;
  let waiting: (() => void)[] = [];
  const refusals: string[] = [];
  const registry = new SessionRegistry({
    connect: connectToSession,
    isGone,
    findLog: () => Promise.resolve(undefined),
    now: () => 1_000,
    events: () => {},
    refused: (_, sentence) => refusals.push(sentence),
    workspaceFolders: () => ['/work'],
    autoAttach: () => true,
    remembered: { attached: [] },
    remember: given => {
      remembered = given;
    },
    failed: error => {
      throw error;
    },
    ...options,
  });
  const finder = new SessionFinder({ folders, changed: () => registry.announcedAre(finder.found) });
  registry.onChange(() => {
    told += 1;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) {
      wake();
    }
  });
  const dispose = () => {
    finder.dispose();
    registry.dispose();
  };
  t.after(dispose);
  return {
    registry,
    finder,
    told: () => told,
    remembered: () => remembered,
    refusals,
    dispose,
    async until(what, isSo) {
      while (!isSo()) {
        await inTime(new Promise<void>(resolve => waiting.push(resolve)), what);
      }
    },
  };
}
