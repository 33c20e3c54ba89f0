import type { SplitBody } from '../apis/gatewayApi.ts';
import type { HookSources } from './hookSources.ts';
import { withHostTexts } from './hostTexts.ts';
import type { Timers } from './sessionPool.ts';

/** Milliseconds that a first request waits at most: its hooks were started before it, and a shell may need so long. */
const LONGEST_WAIT = 1_500;

/** A text that is searched for names of files; more of it holds none that matters. */
const LONGEST_TEXT = 1_000_000;

/**
 * Claude Code starts its hooks for each instruction file that it loads, and does not wait for them before its first request. Waits
 * until a hook has named each file that this request shows, or the time is over. Which files those are decides about the wait
 * alone: nothing is loaded because a request says so.
 */
export async function awaitHooks(
  hooks: HookSources,
  session: string,
  { messages }: SplitBody,
  { timers, signal }: { readonly timers: Timers; readonly signal: AbortSignal },
): Promise<void> {
  const shown = shownFiles(messages);
  const isComplete = (): boolean => {
    const said = new Set(hooks.of(session)?.sources.map(({ path }) => path));
    return shown.every(path => said.has(path));
  };
  if (isComplete()) {
    return;
  }
  await new Promise<void>(resolve => {
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
