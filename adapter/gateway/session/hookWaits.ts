import type { SplitBody } from '../apis/gatewayApi.ts';
import type { HookSources } from './hookSources.ts';
import { withHostTexts } from './hostTexts.ts';
import type { Timers } from './sessionPool.ts';

/** Milliseconds that a first request waits at most: its hooks were started before it, and a shell may need so long. */
const LONGEST_WAIT = 1_500;

/** A text that is searched for names of files; more of it holds none that matters. */
const LONGEST_TEXT = 1_000_000;

/** So many waits in vain, while no hook was ever heard, and nobody has one. */
const MOST_IN_VAIN = 2;

/** A first request that may wait. */
export interface FirstRequest {
  /** Whose hooks name its files. */
  readonly session: string;
  readonly split: SplitBody;
  /** Paths of files that a person has named. */
  readonly named: readonly string[];
  readonly signal: AbortSignal;
}

export interface HookWaitsOptions {
  readonly hooks: HookSources;
  /** Agents were started with the hook. */
  readonly hasHook: boolean;
  readonly timers: Timers;
}

/**
 * Claude Code starts its hooks for each instruction file that it loads, and does not wait for them before its first request. So that
 * request waits until a hook has named each file that it shows, or the time is over. Which files those are decides about the wait
 * alone: nothing is loaded because a request says so.
 */
export class HookWaits {
  readonly #options: HookWaitsOptions;
  #inVain = 0;

  constructor(options: HookWaitsOptions) {
    this.#options = options;
  }

  async before({ session, split, named, signal }: FirstRequest): Promise<void> {
    const { hooks, hasHook } = this.#options;
    const isSure = hasHook || hooks.heard;
    if (!isSure && this.#inVain >= MOST_IN_VAIN) {
      return;
    }
    // a hook also says where the transcript lies, so one that is there is waited for in any case
    const known = new Set(isSure ? [] : named);
    const shown = shownFiles(split.messages).filter(path => !known.has(path));
    const isComplete = (): boolean => {
      const said = new Set(hooks.of(session)?.sources.map(({ path }) => path));
      return shown.every(path => said.has(path));
    };
    if (!isComplete()) {
      await this.#wait(isComplete, signal);
      this.#inVain += hooks.heard || signal.aborted ? 0 : 1;
    }
  }

  #wait(isComplete: () => boolean, signal: AbortSignal): Promise<void> {
    const { hooks, timers } = this.#options;
    return new Promise<void>(resolve => {
      const stops: (() => void)[] = [];
      const end = (): void => {
        for (const stop of stops) {
          stop();
        }
        signal.removeEventListener('abort', end);
        resolve();
      };
      stops.push(
        timers.after(LONGEST_WAIT, end),
        hooks.onMessage(() => {
          if (isComplete()) {
            end();
          }
        }),
      );
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

function shownFiles(messages: SplitBody['messages']): readonly string[] {
  const [first] = messages;
  const paths = new Set<string>();
  const see = (text: string): string => {
    for (const [, path = ''] of text.slice(0, LONGEST_TEXT).matchAll(/^Contents of (.+?\.md) \(/gmu)) {
      paths.add(path);
    }
    return text;
  };
  if (first) {
    withHostTexts(first, see);
  }
  return [...paths];
}
