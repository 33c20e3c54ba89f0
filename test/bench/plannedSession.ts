import { setTimeout } from 'node:timers/promises';
import { CountingMeter } from '../../adapter/tokens/countingMeter.ts';
import type { TokenCounter } from '../../adapter/tokens/tokenCounter.ts';
import { PlanningMemo } from '../../protocol/budget/memo/planningMemo.ts';
import { budgetRequest } from '../../protocol/budget/plan.ts';
import { seedTwoFormat } from '../../protocol/lifecycle/seedTwoFormat.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { BudgetRun } from '../protocol/budget/budgetKit.ts';
import { Numbers, turnOf } from '../protocol/budget/longSession.ts';

/** Words of a turn; most of them are two or three tokens. */
const TURN = 500;
/** Turns from one request to the next, while a session grows. */
const TURNS = 8;
/** Milliseconds. */
const LONGEST_COUNT = 60_000;

const HEADER = { config: { model: 'gpt-4o' }, system: 'You write code. '.repeat(200), tools: [] };

/** What a request took, in milliseconds. */
export interface Spent {
  readonly planning: number;
  readonly counting: number;
  /** Neither it nor the request before made a pass: a pass, and what it leaves, is looked at as a whole. */
  readonly isQuiet: boolean;
}

/** A session with the budget layer and a token counter, whose messages are those of the long sessions' generator. */
export class PlannedSession {
  readonly messages: JsonObject[] = [];
  readonly #run: BudgetRun;
  readonly #meter: CountingMeter;
  readonly #memo = new PlanningMemo();
  readonly #numbers: Numbers;
  #turns = 0;
  #counted = 0;
  #tokens = 0;
  #passed = false;

  private constructor(counter: TokenCounter, window: number, seed: number) {
    this.#numbers = new Numbers(seed);
    this.#run = new BudgetRun({ limits: { window: { tokens: window, source: 'the bench' } } });
    this.#run.anchors = true;
    this.#run.copies = false;
    this.#run.setTier1({ objective: 'Move the shop', constraints: [{ id: 'green', text: 'Keep tests green' }] });
    this.#meter = new CountingMeter({ counter, format: seedTwoFormat });
  }

  /** One that was handed so many tokens, all of them counted. */
  static async of(tokens: number, counter: TokenCounter, window: number): Promise<PlannedSession> {
    const session = new PlannedSession(counter, window, tokens + window);
    while (session.#tokens < tokens) {
      for (let turn = 0; turn < TURNS && session.#tokens + turn * TURN * 3 < tokens; turn++) {
        session.grow(TURN);
      }
      await session.#settle();
      await session.request();
    }
    return session;
  }

  /** What the host has more in its next request. */
  grow(words: number): void {
    this.messages.push(...turnOf(this.#turns++, words, this.#numbers).messages);
  }

  /** One request, from what is new in it to its answer. */
  async request(): Promise<Spent> {
    const { messages } = this;
    const meter = this.#meter;
    const begun = performance.now();
    await meter.prepare({ ...HEADER, messages }, () => []);
    const prepared = performance.now();
    const { requestSequence, ...view } = this.#run.viewOf(messages);
    const start = performance.now();
    const { messages: counts, counter, amountOf } = meter.counts({ ...HEADER, prefix: [] });
    const made = budgetRequest(
      {
        ...view,
        requestSequence,
        tokensOf: message => amountOf(message),
        ...(counts && { counts }),
        counter,
        memo: this.#memo,
      },
      this.#run.state,
      this.#run.config,
    );
    const planned = performance.now();
    const shown = made.entries.map(({ message }) => message);
    meter.measure({ ...HEADER, messages: shown, prefixLength: 0, requestSequence });
    const measured = performance.now();
    this.#run.log(made);
    this.#run.answer();
    const passed = made.events.some(({ type }) => type === 'budget/pass');
    const isQuiet = !passed && !this.#passed;
    this.#passed = passed;
    return { planning: planned - start, counting: prepared - begun + measured - planned, isQuiet };
  }

  /** Waits until nothing of it is an estimate. */
  async #settle(): Promise<void> {
    const deadline = performance.now() + LONGEST_COUNT;
    const { amountOf } = this.#meter.counts({ ...HEADER, prefix: [] });
    while (this.#counted < this.messages.length && performance.now() < deadline) {
      const { tokens, origin } = amountOf(this.messages[this.#counted] ?? {});
      if (origin === 'exact') {
        this.#tokens += tokens;
        this.#counted++;
      } else {
        await this.#meter.prepare({ ...HEADER, messages: this.messages }, () => []);
        await setTimeout(1);
      }
    }
  }
}
