import fc from 'fast-check';
import { unloadAsked } from '../../../protocol/budget/askedUnload.ts';
import type { BudgetView, MessageCounts } from '../../../protocol/budget/budgetView.ts';
import type { PlanningMemo } from '../../../protocol/budget/memo/planningMemo.ts';
import type { ViewEntry } from '../../../protocol/lifecycle/view.ts';
import type { Amount } from '../../../protocol/log/amounts.ts';
import { appendedIn, type KnownOrder, placeAppended, type ToAppend } from '../../../protocol/request/appended.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { definition } from '../lifecycle/lifecycleKit.ts';
import { BudgetRun, user, words, wordsIn } from './budgetKit.ts';
import { messagesOf } from './budgetSessions.ts';

/** What happens next in a session; what happens often stands here often. */
const ACTS = [
  ...Array.from({ length: 16 }, () => 'say' as const),
  'work',
  'undo',
  'redo',
  'compact',
  'pin',
  'load',
  'load',
  'touch',
  'unload',
  'update',
  'rate',
  'append',
  'resume',
] as const;

export const planningActs = fc.record({
  acts: fc.array(fc.tuple(fc.constantFrom(...ACTS), fc.nat(1000), fc.nat(7)), {
    minLength: 40,
    maxLength: 140,
    size: 'max',
  }),
  window: fc.constantFrom(250, 400, 900, 3000),
  hasCounts: fc.boolean(),
  hasOrder: fc.boolean(),
  /** Requests that were answered before. */
  interactions: fc.constantFrom(0, 30, 90),
});

type PlanningActs = typeof planningActs extends fc.Arbitrary<infer Acts> ? Acts : never;

/** A counter as adapters have it: a message is an estimate when it is seen first, and how counts are read changes with the answers. */
export class Counter implements MessageCounts {
  /** What one word is at the provider. */
  rate = 1;
  #counted = new WeakSet<JsonObject>();
  #seen: JsonObject[] = [];

  of(message: JsonObject): Amount {
    const tokens = wordsIn(message);
    if (this.#counted.has(message)) {
      return { tokens, origin: 'exact' };
    }
    this.#seen.push(message);
    return { tokens: tokens + 3, origin: 'estimated' };
  }

  isSettled(message: JsonObject): boolean {
    return this.#counted.has(message);
  }

  read({ tokens, origin }: Amount): Amount {
    return this.rate === 1 || tokens === 0
      ? { tokens, origin }
      : { tokens: Math.max(1, Math.round(tokens * this.rate)), origin: origin === 'exact' ? 'anchored' : origin };
  }

  /** What was asked for is counted now. */
  catchUp(): void {
    this.#seen.forEach(message => this.#counted.add(message));
    this.#seen = [];
  }
}

/** A session in which everything happens that planning may remember wrongly. */
export class PlannedSession {
  run: BudgetRun;
  readonly #acts: PlanningActs;
  readonly #counter = new Counter();
  readonly #before = new Map<string, string>();
  readonly #order: KnownOrder = { before: unit => this.#before.get(unit) ?? '' };
  readonly #pinned = new Set<string>();
  #appended: readonly ToAppend[] = [];
  #transcript: readonly (readonly JsonObject[])[] = [[user('begin now')]];
  #undone: readonly (readonly JsonObject[])[] = [];
  #made = 0;

  constructor(acts: PlanningActs) {
    this.#acts = acts;
    this.run = this.#begin([]);
    this.run.setTier1({ objective: 'Test it', constraints: [{ id: 'a', text: 'Use tabs' }] });
    this.run.lifecycle.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('rules') });
    this.run.interact(acts.interactions, this.#transcript.flat());
  }

  /** Calls back with the view of each request, without and with what was learned before; the memo is another after a resume. */
  play(newMemo: () => PlanningMemo, check: (view: BudgetView, memo: PlanningMemo) => void): void {
    let memo = newMemo();
    for (const [kind, detail, message] of this.#acts.acts) {
      if (kind === 'resume') {
        this.run = this.#begin(this.run.events);
        memo = newMemo();
      }
      this.#act(kind, detail, message);
      if (detail % 2 === 0) {
        const view = this.#view();
        check(view, memo);
        this.#sealed(view.entries, this.run.send({ ...view, memo }).entries);
        this.run.answer(detail % 5 === 0 ? 'failed' : 'completed');
      }
    }
  }

  #begin(past: BudgetRun['events']): BudgetRun {
    const run = new BudgetRun({ limits: { window: { tokens: this.#acts.window, source: 'test' } } }, past);
    run.anchors = true;
    return run;
  }

  #act(kind: (typeof ACTS)[number], detail: number, message: number): void {
    const messages = this.#transcript.flat();
    const keys = this.run.viewOf(messages).entries.flatMap(entry => entry.keys);
    const some = keys.slice(detail % Math.min(9, keys.length + 1)).slice(0, (detail % 4) + 1);
    const { requestSequence } = this.run.viewOf(messages);
    const document = `file${detail % 3}.md`;
    switch (kind) {
      case 'undo':
        // A host takes steps back, further than to a summary now and then.
        this.#undone = this.#transcript.slice(-1 - (detail % 25));
        this.#transcript = this.#transcript.slice(0, -1 - (detail % 25));
        break;
      case 'redo':
        this.#transcript = [...this.#transcript, ...this.#undone];
        this.#undone = [];
        break;
      case 'compact': {
        const cut = Math.floor(this.#transcript.length / 3);
        const from = this.#transcript.findIndex(([first], place) => place >= cut && first?.['role'] === 'user');
        this.#transcript = from < 0 ? this.#transcript : this.#transcript.slice(from);
        break;
      }
      case 'pin':
        some.forEach(key => (this.#pinned.has(key) ? this.#pinned.delete(key) : this.#pinned.add(key)));
        break;
      case 'load':
        if (some.length > 0) {
          const data = { document, units: some, messages: messages.length, requestSequence };
          this.run.append({ type: 'budget/document', data });
        }
        break;
      case 'touch':
        if (this.run.state.budget.documents.has(document)) {
          const data = { document, messages: messages.length, requestSequence };
          this.run.append({ type: 'budget/document-touched', data });
        }
        break;
      case 'update':
        this.run.update('a', `Use ${detail}`);
        break;
      case 'rate':
        this.#counter.rate = 1 + (detail % 5) / 10;
        break;
      case 'append':
        this.#appended = [
          ...this.#appended,
          { message: Object.freeze(user(words(detail % 9, 'in'))), key: `in${this.#made++}` },
        ];
        break;
      case 'unload':
        unloadAsked(document, 'a person', this.#view(), this.run.state, this.run.config).forEach(event =>
          this.run.append(event),
        );
        break;
      case 'work':
        // An agent that works on for long after one question.
        for (let step = 0; step < 40; step++) {
          this.#say(2, detail + step);
        }
        break;
      case 'say':
        this.#say(message, detail);
        break;
      case 'resume':
        break;
    }
    if (detail % 3 === 0) {
      this.#counter.catchUp();
    }
  }

  #say(kind: number, detail: number): void {
    this.#transcript = [...this.#transcript, messagesOf([kind, detail], `i${this.#made++}`)];
  }

  #view(): BudgetView {
    const { hasCounts, hasOrder } = this.#acts;
    const counter = this.#counter;
    const { entries, ...view } = this.run.viewOf(this.#transcript.flat());
    return {
      ...view,
      entries: placeAppended(entries, this.#appended, this.#order),
      pinned: this.#pinned,
      tokensOf: message => counter.read(counter.of(message)),
      ...(hasCounts && { counts: counter }),
      ...(hasOrder && { order: this.#order }),
    };
  }

  #sealed(entries: readonly ViewEntry[], shown: readonly ViewEntry[]): void {
    this.#appended = appendedIn(entries);
    let last = '';
    for (const key of shown.flatMap(({ keys }) => keys)) {
      this.#before.set(key, last);
      last = key;
    }
  }
}
