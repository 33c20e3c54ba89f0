import fc from 'fast-check';
import type { BudgetView } from '../../../protocol/budget/budgetView.ts';
import type { BudgetedRequest } from '../../../protocol/budget/plan.ts';
import type { LifecycleState } from '../../../protocol/lifecycle/lifecycleState.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { call, definition, discardLine, EPHEMERAL, resultBlock, results } from '../lifecycle/lifecycleKit.ts';
import { assistant, BudgetRun, exact, result, user, words } from './budgetKit.ts';

/** One request of a generated session, with what was there before it. */
export interface Step {
  readonly view: BudgetView;
  readonly made: BudgetedRequest;
  readonly lifecycle: LifecycleState;
  readonly after: LifecycleState;
  readonly blocks: { readonly before: string | undefined; readonly after: string | undefined };
}

export interface GeneratedSession {
  readonly run: BudgetRun;
  readonly steps: readonly Step[];
}

/** What may happen next, by number: messages, and how the transcript or the settings change. */
type Act = readonly [kind: number, detail: number];

const SAID = [
  'You must keep the port.',
  'Never push to main.',
  '必须使用制表符。',
  'Thanks!',
  `Quote: ${discardLine('rules')}`,
  `Look:\n${discardLine('rules')}\nAlways look.`,
  'No cue is in here',
];

/** Messages that follow each other as an agent would have them. */
export function messagesOf([kind, detail]: Act, id: string): readonly JsonObject[] {
  const many = words((detail % 23) + 1, `${id}x`);
  switch (kind) {
    case 0:
      return [user(`${SAID[detail % SAID.length]} ${many}`)];
    case 1:
      return [assistant(many)];
    case 2:
      return [call(id), result(id, `${many}\nexit code ${detail % 3}`)];
    case 3:
      return [
        call(`${id}a`, `${id}b`),
        results(resultBlock(`${id}a`, many), resultBlock(`${id}b`, `${EPHEMERAL} ${many}`)),
      ];
    case 4:
      return [call(`${id}a`, `${id}b`), result(`${id}a`, many), user('a word in between'), result(`${id}b`, many)];
    case 5:
      return [user(`${EPHEMERAL} ${many}`)];
    case 6:
      return [{ role: 'system', content: many }];
    default:
      return [call(id)];
  }
}

/** Messages of an act, then whether a request follows, how it is answered, and what the host does to its transcript. */
const acts = fc.array(fc.tuple(fc.tuple(fc.nat(7), fc.nat(1000)), fc.nat(11)), {
  minLength: 30,
  maxLength: 120,
  size: 'max',
});

function play(steps: readonly (readonly [Act, number])[], host: number, window: number): GeneratedSession {
  const run = new BudgetRun({ limits: { window: { tokens: window, source: 'test' } } });
  run.beside = { host: { system: exact(host), tools: exact(0), prefix: exact(0) } };
  run.anchors = true;
  run.setTier1({ objective: 'Test it', constraints: [{ id: 'a', text: 'Use tabs' }] });
  run.lifecycle.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('rules') });
  const seen: Step[] = [];
  let transcript: readonly (readonly JsonObject[])[] = [[user('begin now')]];
  for (const [index, [act, then]] of steps.entries()) {
    transcript = [...transcript, messagesOf(act, `i${index}`)];
    if (then === 10) {
      // A host compacts its start away: what is left begins with a question, and no pair is parted.
      const cut = Math.floor(transcript.length / 3);
      const from = transcript.findIndex(([first], place) => place >= cut && first?.['role'] === 'user');
      transcript = from < 0 ? transcript : transcript.slice(from);
    } else if (then === 11) {
      run.update('a', `Use ${index}`);
    }
    if (then % 3 === 0) {
      const messages = transcript.flat();
      const view = run.viewOf(messages);
      const { lifecycle } = run.state;
      const before = run.lifecycle.blocksText();
      const made = run.request(messages);
      seen.push({
        view,
        made,
        lifecycle,
        after: run.state.lifecycle,
        blocks: { before, after: run.lifecycle.blocksText() },
      });
      run.answer(then === 9 ? 'failed' : 'completed');
    }
  }
  return { run, steps: seen };
}

/** Sessions in which all happens that may: pairs, parallel calls, open calls, ephemerals, cuts by the host, updates, failures. */
export const budgetActs = fc.tuple(acts, fc.constantFrom(0, 60, 200), fc.constantFrom(300, 500, 900));

/** The session of these acts, the same each time. */
export function budgetSession([steps, host, window]: typeof budgetActs extends fc.Arbitrary<infer Acts>
  ? Acts
  : never) {
  return play(steps, Math.min(host, Math.floor(window / 3)), window);
}
