import { OrderedMap } from '../orderedMap.ts';
import { count, flag, list, maybe, type Of, record, sha256, text, whole } from '../shape.ts';
import { Vector } from '../vector.ts';
import { budgetEvents } from './budgetEvents.ts';
import type { BudgetState } from './budgetState.ts';

const place = { seq: count, time: whole } as const;

const { message: _, summary: __, ...editFacts } = budgetEvents['budget/edit'].members;

/** A `BudgetState` as JSON. */
export const budgetShape = record({
  measures: list(record({ ...budgetEvents['budget/measured'].members, ...place })),
  passes: list(record({ ...budgetEvents['budget/pass'].members, ...place })),
  compressions: count,
  armed: flag,
  edits: list(record({ ...editFacts, ...place })),
  refused: count,
  learned: maybe(record({ ...budgetEvents['budget/limit-learned'].members, ...place })),
  resetPending: flag,
  requests: count,
  turns: count,
  lastCheck: maybe(record({ ...budgetEvents['budget/checked'].members, ...place })),
  checkedAt: count,
  anchoredAt: count,
  contradictions: count,
  tier1: maybe(record({ sha256, hasObjective: flag, constraints: list(text), updates: count })),
  drift: maybe(record({ ...budgetEvents['budget/drift'].members, ...place })),
  drifts: count,
  documents: list(record({ document: text, units: list(text), sha256: maybe(sha256), messages: count })),
});

type BudgetJson = Of<typeof budgetShape>;

/** It shares everything but the lists with the state. */
export function budgetToJson({ learned, lastCheck, tier1, drift, ...state }: BudgetState): BudgetJson {
  return {
    ...state,
    ...(learned && { learned }),
    ...(lastCheck && { lastCheck }),
    ...(tier1 && { tier1 }),
    ...(drift && { drift }),
    measures: state.measures.toArray(),
    passes: state.passes.toArray(),
    edits: state.edits.toArray(),
    documents: [...state.documents.values()],
  };
}

/** The state that `budgetToJson` made JSON of. */
export function budgetFromJson(json: BudgetJson): BudgetState {
  return {
    measures: Vector.of(json.measures),
    passes: Vector.of(json.passes),
    compressions: json.compressions,
    armed: json.armed,
    edits: Vector.of(json.edits),
    refused: json.refused,
    learned: json.learned,
    resetPending: json.resetPending,
    requests: json.requests,
    turns: json.turns,
    lastCheck: json.lastCheck,
    checkedAt: json.checkedAt,
    anchoredAt: json.anchoredAt,
    contradictions: json.contradictions,
    tier1: json.tier1,
    drift: json.drift,
    drifts: json.drifts,
    documents: OrderedMap.of(new Map(json.documents.map(document => [document.document, document]))),
  };
}
