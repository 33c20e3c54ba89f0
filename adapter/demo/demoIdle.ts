import { setTimeout } from 'node:timers/promises';
import type { Session } from '../sessionTypes.ts';
import type { DemoAgent } from './demoAgent.ts';
import type { DemoOptions } from './demoOptions.ts';

/** An idle session asks the model about once in so many things that happen, and never more often than this. */
const IDLE_PACES = 8;
const SHORTEST_IDLE_MS = 2_000;

/** Where the session is kept open: small turns until the signal ends them. */
export async function idle(
  { keepOpen, pace, teller, signal }: DemoOptions,
  agent: DemoAgent,
  session: Session,
): Promise<void> {
  if (!keepOpen) {
    return;
  }
  teller.chapter(
    'The session stays open',
    'Now and then somebody asks how the service is doing. Press Ctrl-C to stop.',
  );
  for (;;) {
    await setTimeout(Math.max(SHORTEST_IDLE_MS, pace * IDLE_PACES), undefined, { signal });
    await agent.turn(session, 'How is the service doing?');
  }
}
