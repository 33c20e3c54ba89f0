import assert from 'node:assert/strict';
import { type EditedEntry, editsInForce } from '../../../protocol/budget/applyEdits.ts';
import { BudgetContents } from '../../../protocol/budget/budgetContents.ts';
import type { BudgetData, BudgetEvent, BudgetEventType, Edit } from '../../../protocol/budget/budgetEvents.ts';
import type { Anchoring, BudgetConfig, BudgetView } from '../../../protocol/budget/budgetView.ts';
import { measuredEvents } from '../../../protocol/budget/gate.ts';
import { type BudgetedRequest, budgetRequest } from '../../../protocol/budget/plan.ts';
import { setTier1, type Tier1, tier1Text, updateTier1 } from '../../../protocol/budget/tier1.ts';
import { DEFAULT_POLICY } from '../../../protocol/lifecycle/defaultPolicy.ts';
import { LifecycleSession } from '../../../protocol/lifecycle/lifecycleSession.ts';
import type { SourceClass } from '../../../protocol/lifecycle/policy.ts';
import { seedTwoFormat } from '../../../protocol/lifecycle/seedTwoFormat.ts';
import type { Amount } from '../../../protocol/log/amounts.ts';
import { readEvent } from '../../../protocol/log/readEvent.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { assistant, call, result, sha256, user } from '../lifecycle/lifecycleKit.ts';
import { HASH, opened } from '../log/sessions.ts';
import { deepFreeze } from '../request/vectorFile.ts';

export { assistant, call, result, sha256, user };

export const exact = (tokens: number): Amount => ({ tokens, origin: 'exact' });

/** The tests' counter: a word is a token (tiers 4), of what the format says are texts. */
export function wordsIn(message: JsonObject): number {
  const texts = seedTwoFormat.describe(message).units.flatMap(unit => unit.texts);
  return texts.join(' ').split(/\s+/).filter(Boolean).length;
}

/** A text of so many words, none of them a cue; `name` makes it another text. */
export function words(count: number, name = 'w'): string {
  return Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');
}

/** Messages of so many words each, of a user and an assistant in turn. */
export function talk(messages: number, each: number, name = 'm'): readonly JsonObject[] {
  return Array.from({ length: messages }, (_, index) =>
    index % 2 === 0 ? user(words(each, `${name}${index}q`)) : assistant(words(each, `${name}${index}a`)),
  );
}

export const WINDOW: BudgetConfig = { limits: { window: { tokens: 1000, source: 'the test' } } };

/** All of a view's text, as the model would be shown it. */
export function textOf(entries: readonly Pick<EditedEntry, 'message'>[]): string {
  return entries.flatMap(({ message }) => seedTwoFormat.describe(message).units.flatMap(unit => unit.texts)).join('\n');
}

/** A session with the layer on, which keeps what an adapter would keep: a log, its fold, and the contents of edits. */
export class BudgetRun {
  readonly events: LogEvent[] = [];
  readonly contents = new BudgetContents();
  readonly lifecycle: LifecycleSession;
  config: BudgetConfig;
  /** What the view has besides its messages. */
  beside: Partial<BudgetView> = {};
  anchors = false;
  anchoring: Partial<Anchoring> = {};
  /** Milliseconds that pass from one event to the next. */
  tick = 1000;
  /** Whether each request is handed fresh copies, as agents do. */
  copies = true;
  state: SessionState = initialState;
  #time = Date.UTC(2026, 0, 1);

  constructor(config: BudgetConfig = WINDOW, past: readonly LogEvent[] = []) {
    this.config = config;
    for (const event of past) {
      this.#take(event);
    }
    this.lifecycle = new LifecycleSession({
      policy: DEFAULT_POLICY,
      format: seedTwoFormat,
      sha256,
      log: {
        state: () => this.state.lifecycle,
        append: event => this.append(event),
        requestSequence: () => this.sequence,
      },
    });
    this.lifecycle.remember(past);
    this.append({ ...opened, data: { ...opened.data, reason: past.length > 0 ? 'resumed' : 'new' } } as NewEvent);
  }

  get sequence(): number {
    return this.state.requests.length + 1;
  }

  get edits(): readonly Edit[] {
    return editsInForce(this.contents.edits);
  }

  append(event: NewEvent | BudgetEvent): void {
    this.#time += this.tick;
    const placed = JSON.parse(JSON.stringify({ ...event, seq: this.events.length, time: this.#time })) as unknown;
    this.#take(deepFreeze(readEvent(placed, this.events.length)));
  }

  #take(event: LogEvent): void {
    this.state = reduce(this.state, event);
    this.contents.remember(event);
    this.events.push(event);
  }

  all<Type extends BudgetEventType>(type: Type): readonly BudgetData<Type>[] {
    return this.events.flatMap(event => (event.type === type ? [event.data as unknown as BudgetData<Type>] : []));
  }

  last<Type extends BudgetEventType>(type: Type): BudgetData<Type> {
    const found = this.all(type).at(-1);
    assert.ok(found, `no ${type}`);
    return found;
  }

  setTier1(tier1: Tier1, sourceClass: SourceClass = 'user'): void {
    const asker = { source: 'a-person', class: sourceClass, requestSequence: this.sequence };
    this.append(setTier1(tier1, asker, sha256));
  }

  update(id: string, value: string | undefined, sourceClass: SourceClass = 'user'): void {
    const asker = { source: 'a-person', class: sourceClass, requestSequence: this.sequence };
    const event = updateTier1(this.contents.tier1 ?? { constraints: [] }, id, value, asker);
    if (event) {
      this.append(event);
    }
  }

  /** The text of the first tier in the frozen prefix. */
  get prefixText(): string | undefined {
    return this.contents.baseline && tier1Text(this.contents.baseline);
  }

  viewOf(messages: readonly JsonObject[]): BudgetView {
    const { tier1, superseded, untold } = this.contents;
    const prefixText = this.prefixText;
    const entries = this.lifecycle.view(this.copies ? deepFreeze(structuredClone(messages)) : messages);
    const active = [...this.state.lifecycle.blocks.values()].filter(({ status }) => status === 'active');
    return {
      requestSequence: this.sequence,
      entries,
      edits: this.contents.edits,
      format: seedTwoFormat,
      tokensOf: message => exact(wordsIn(message)),
      counter: 'words',
      sha256,
      host: { system: exact(0), tools: exact(0), prefix: exact(0) },
      tier1: exact(prefixText === undefined ? 0 : prefixText.split(/\s+/).length),
      blocks: active.map(({ id, activated }) => ({ id, amount: exact(activated.endLine) })),
      ...(this.anchors && {
        anchoring: { tier1, superseded, untold, ...(prefixText !== undefined && { prefixText }), ...this.anchoring },
      }),
      ...this.beside,
    };
  }

  /** Plans, logs and seals the next request; a blocked one is not sealed. */
  request(messages: readonly JsonObject[]): BudgetedRequest {
    return this.send(this.viewOf(messages));
  }

  /** The same for a view that was made somewhere. */
  send(view: BudgetView): BudgetedRequest {
    const made = budgetRequest(view, this.state, this.config);
    this.log(made);
    return made;
  }

  /** Logs what was planned, and seals it unless it is blocked. */
  log(made: BudgetedRequest): void {
    [...made.events, ...measuredEvents(made)].forEach(event => this.append(event));
    if (made.gate !== 'blocked') {
      this.#seal();
    }
  }

  #seal(): void {
    const requestSequence = this.sequence;
    this.#endStep('aborted');
    if (!this.state.turn) {
      const turn = this.state.lastTurn + 1;
      this.append({ type: 'turn/start', data: { turn, trigger: { kind: 'message', source: 'user' } } });
    }
    const stepStart = this.events.length;
    this.append({
      type: 'step/start',
      data: { turn: this.state.lastTurn, step: this.state.lastStep + 1, requestSequence },
    });
    const data = { requestSequence, stepStart, hash: HASH, bytes: 1, messages: 0, changes: [] };
    this.append({ type: 'request/sealed', data });
  }

  #endStep(outcome: 'completed' | 'failed' | 'aborted'): void {
    const { step, turn } = this.state;
    if (step && turn) {
      const { requestSequence = 0 } = step;
      this.append({ type: 'step/end', data: { turn: turn.turn, step: step.step, requestSequence, outcome } });
    }
  }

  answer(outcome: 'completed' | 'failed' | 'aborted' = 'completed'): void {
    const { requestSequence = 0 } = this.state.step ?? {};
    this.#endStep(outcome);
    this.lifecycle.ended(requestSequence, outcome);
  }

  endTurn(): void {
    const { turn } = this.state;
    assert.ok(turn);
    this.append({ type: 'turn/end', data: { turn: turn.turn, reason: 'completed' } });
  }

  /** So many requests that were answered whole, with nothing in them. */
  interact(times: number, messages: readonly JsonObject[] = [user('hello there friend')]): void {
    for (let time = 0; time < times; time++) {
      this.request(messages);
      this.answer();
    }
  }
}
