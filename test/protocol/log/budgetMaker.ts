import { createHash } from 'node:crypto';
import type { BudgetEvent } from '../../../protocol/budget/budgetEvents.ts';

const HASH = createHash('sha256').update('').digest('hex');

const amount = (tokens: number) => ({ tokens, origin: 'estimated' }) as const;

const limits = (detail: number) =>
  ({
    window: { tokens: 1000, source: 'the model' },
    ...(detail % 2 === 0 && { inputLimit: { tokens: 950, source: 'the provider' } }),
    hard: 900,
    binds: 'window',
  }) as const;

/** Events of seed 3's layer that may follow each other in a log. All content in them begins with `secret`. */
export class BudgetMaker {
  readonly #secret: string;
  #edits = 0;
  #passes = 0;
  #isSet = false;
  #document = false;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** One event, or those that belong together; `detail` says which, and how. */
  take(detail: number, requestSequence: number): readonly BudgetEvent[] {
    const makers = [
      () => this.#measured(detail, requestSequence),
      () => this.#pass(detail, requestSequence),
      () => this.#tier1(detail, requestSequence),
      () => this.#found(detail, requestSequence),
      () => this.#other(detail, requestSequence),
    ];
    return makers[detail % makers.length]?.() ?? [];
  }

  #measured(detail: number, requestSequence: number): readonly BudgetEvent[] {
    return [
      {
        type: 'budget/measured',
        data: {
          requestSequence,
          tiers: { tier1: amount(1), tier2: amount(2), tier3: amount(detail), tier4: amount(3) },
          host: amount(4),
          unattributed: { tokens: -2, origin: 'anchored' },
          total: amount(detail + 8),
          rawHistory: amount(detail % 9),
          limits: limits(detail),
          edited: detail % 3 === 0,
          gate: (['sent', 'warned', 'blocked'] as const)[detail % 3] ?? 'sent',
          flags: detail % 2 === 0 ? ['pressure'] : [],
        },
      },
    ];
  }

  #pass(detail: number, requestSequence: number): readonly BudgetEvent[] {
    const edits = detail % 4;
    const [before, after] = [amount(800), amount(500)];
    const pass: BudgetEvent = {
      type: 'budget/pass',
      data: {
        pass: ++this.#passes,
        kind: detail % 2 === 0 ? 'compression' : 'emergency',
        requestSequence,
        before,
        after,
        historyBefore: before,
        historyAfter: after,
        rawAfter: amount(0),
        edits,
        outcome: detail % 3 === 0 ? 'target-missed' : 'enough',
        ...(edits > 0 && { price: { rewritten: before, freed: after, breakEven: 2 } }),
      },
    };
    return [pass, ...Array.from({ length: edits }, (_, place) => this.#edit(detail + place, requestSequence))];
  }

  #edit(detail: number, requestSequence: number): BudgetEvent {
    const text = `${this.#secret}edit-${detail}`;
    const kinds = ['summarize', 'remove', 'unload', 'archive', 'append'] as const;
    const kind = kinds[detail % kinds.length] ?? 'remove';
    const record = {
      topic: text,
      period: 'unknown',
      decisions: [text],
      outcomes: [],
      active_constraints: [text],
      errors_encountered: [text],
    };
    const hasMessage = kind === 'summarize' || kind === 'append';
    return {
      type: 'budget/edit',
      data: {
        edit: ++this.#edits,
        kind,
        ...(kind !== 'append' && { pass: this.#passes }),
        cause: 'over-trigger',
        actor: 'extractive@1',
        units: [`u${detail}`],
        replaces: this.#edits > 1 && detail % 7 === 0 ? [this.#edits - 1] : [],
        ...(kind === 'append' && { notice: 'anchor', interactions: detail, follows: 'u1' }),
        ...(hasMessage && { message: { role: 'user', content: text }, sha256: HASH }),
        ...(kind === 'summarize' && {
          form: 'structured',
          summary: { record, quotes: [{ text, unit: 'u', offset: 0 }], unverified: [text] },
        }),
        before: amount(800),
        after: amount(700),
        counter: 'o200k',
        requestSequence,
      },
    };
  }

  #tier1(detail: number, requestSequence: number): readonly BudgetEvent[] {
    const text = `${this.#secret}tier-${detail}`;
    const asker = { source: 'a person', class: 'user', requestSequence } as const;
    if (!this.#isSet || detail % 4 === 0) {
      this.#isSet = true;
      const objective = detail % 3 === 0 ? {} : { objective: text };
      const data = { ...objective, constraints: [{ id: 'c1', text }], sha256: HASH, ...asker, reason: 'set' } as const;
      return [{ type: 'budget/tier1-set', data }];
    }
    const id = ['c1', 'c2', 'objective', 'identity'][detail % 4] ?? 'c1';
    const values =
      detail % 3 === 0 ? { old: text } : detail % 3 === 1 ? { new: text } : { old: text, new: `${text}-x` };
    return [
      { type: 'budget/tier1-updated', data: { id, ...values, ...asker } },
      { type: 'budget/tier1-denied', data: { id, source: 'tool:bash', class: 'tool-result', requestSequence } },
    ];
  }

  #found(detail: number, requestSequence: number): readonly BudgetEvent[] {
    const text = `${this.#secret}found-${detail}`;
    const results = [
      { check: 'quotes', result: 'ok' },
      { check: 'behaviour', result: 'not-evaluated', detail: 'no judge' },
    ] as const;
    const occasion = detail % 2 === 0 ? 'interactions' : 'resume';
    return [
      { type: 'budget/checked', data: { occasion, interactions: detail, results, requestSequence } },
      {
        type: 'budget/contradiction',
        data: { check: 'quotes', original: text, derived: `${text}-x`, edit: 1, requestSequence },
      },
      { type: 'budget/drift', data: { expected: HASH, response: 'report-only', requestSequence } },
    ];
  }

  #other(detail: number, requestSequence: number): readonly BudgetEvent[] {
    const document = { document: 'docs/a.md', messages: detail, requestSequence };
    const isKnown = this.#document;
    this.#document = true;
    return [
      isKnown
        ? { type: 'budget/document-touched', data: document }
        : { type: 'budget/document', data: { ...document, units: ['u1'] } },
      {
        type: 'budget/edit-refused',
        data: {
          kind: 'append',
          reason: 'no-objective',
          cause: 'interactions',
          actor: 'budget',
          ...(detail % 2 === 0 && { interactions: detail }),
          requestSequence,
        },
      },
      { type: 'budget/summary-failed', data: { actor: 'model:x', reason: 'it took too long', requestSequence } },
      {
        type: 'budget/reset-requested',
        data: { requestSequence, total: amount(950), hard: 900, largest: [{ part: 'system', amount: amount(800) }] },
      },
      { type: 'budget/limit-learned', data: { tokens: 900, source: 'an error', requestSequence } },
      {
        type: 'budget/handoff',
        data: {
          action: detail % 2 === 0 ? 'saved' : 'resumed',
          ...(detail % 2 === 1 && {
            from: 's0',
            sessions: [{ session: 's0', requests: 3, turns: 1, compressions: 0 }],
          }),
          sha256: HASH,
          blocks: [{ blockId: 'a', status: 'active' }],
          gaps: ['docs/a.md has changed since.'],
          requestSequence,
        },
      },
    ];
  }
}
