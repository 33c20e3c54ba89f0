import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BudgetConfig, BudgetView } from '../../../protocol/budget/budgetView.ts';
import { amountOf, type BudgetFold } from '../../../protocol/budget/classification.ts';
import { compressionRequest } from '../../../protocol/budget/compression.ts';
import { groupsOf, isQuestion } from '../../../protocol/budget/groups.ts';
import { limitsOf } from '../../../protocol/budget/limits.ts';
import { GroupList } from '../../../protocol/budget/memo/groupList.ts';
import { PlanningMemo } from '../../../protocol/budget/memo/planningMemo.ts';
import { newWork } from '../../../protocol/budget/memo/planningWork.ts';
import { budgetRequest } from '../../../protocol/budget/plan.ts';
import { Workbench } from '../../../protocol/budget/workbench.ts';
import type { ViewEntry } from '../../../protocol/lifecycle/view.ts';
import { PlannedSession, planningActs } from './planningSessions.ts';

test('law: what was learned before changes no event, no entry, no tier and no gate of any request', () => {
  fc.assert(
    fc.property(planningActs, acts => {
      const session = new PlannedSession(acts);
      session.play(
        () => new PlanningMemo(),
        (view, memo) => {
          const { state, config } = session.run;
          const known = { ...view, memo };
          assert.deepEqual(facts(known, state, config), facts(view, state, config));
          assert.deepEqual(compressionRequest(known, state, config), compressionRequest(view, state, config));
          const made = budgetRequest(known, state, config);
          assert.deepEqual(made, budgetRequest(view, state, config));
          assertSameObjects(made.entries, view);
        },
      );
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

/** All that edits are planned by. */
function facts(view: BudgetView, fold: BudgetFold, config: BudgetConfig) {
  const { classified, entries, totals, hides } = new Workbench(view, fold, config, limitsOf(config.limits));
  const groups = classified.groups.map(({ counted, ...group }) => ({ ...group, amount: amountOf({ counted }, view) }));
  const { messages, isOverMaximum, hasOversized } = classified;
  return { groups, messages, isOverMaximum, hasOversized, entries, totals, hides };
}

/** What is left of the view is its very objects. */
function assertSameObjects(entries: readonly ViewEntry[], view: BudgetView): void {
  const known = new Set(view.entries);
  assert.ok(entries.every(entry => 'edit' in entry || known.has(entry)));
}

/** Calls and answers by few names, so that names are used again, doubled, and answered far away. */
const paired = fc.array(
  fc.record({
    calls: fc.subarray(['a', 'b', 'c']),
    answers: fc.subarray(['a', 'b', 'c']),
    isUser: fc.boolean(),
    item: fc.boolean(),
  }),
  { maxLength: 12 },
);

type Paired = Pick<ViewEntry, 'calls' | 'answers'> & { readonly isUser: boolean; readonly item: boolean };

function entryOf({ isUser, ...paired }: Paired, key: string): ViewEntry {
  return { ...paired, message: {}, changed: false, keys: [key], role: isUser ? 'user' : 'assistant' };
}

test('law: groups that are made of one list after another are those that are made of the last one alone', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(14), paired), { minLength: 1, maxLength: 12 }), steps => {
      const list = new GroupList(newWork());
      let entries: readonly ViewEntry[] = [];
      let known: readonly unknown[] = [];
      for (const [taken, added] of steps) {
        const start = entries.slice(0, Math.max(0, entries.length - taken));
        entries = [...start, ...added.map((one, place) => entryOf(one, `${start.length + place}`))];
        const { kept, dropped } = list.update(entries);
        const groups = groupsOf(entries);
        assert.deepEqual(list.groups, groups);
        assert.ok(list.groups.slice(0, kept).every((group, place) => group === known[place]));
        assert.deepEqual(dropped, known.slice(kept));
        assert.equal(list.asked, groups.findLastIndex(isQuestion));
        for (const [place, { keys }] of entries.entries()) {
          assert.equal(list.placeOf(keys[0] ?? ''), place);
          const number = list.groupAt(place);
          assert.ok(list.startOf(number) <= place && place < list.endOf(number));
          assert.ok(groups[number]?.entries.includes(entries[place] as ViewEntry));
        }
        known = [...list.groups];
      }
    }),
    { numRuns: 400 },
  );
});
