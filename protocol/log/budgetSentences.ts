import type { BudgetData, BudgetEventType } from '../budget/budgetEvents.ts';
import type { Message } from '../lifecycle/text.ts';
import { countText, grouped } from './countText.ts';
import { type Sentences, sentence } from './sentence.ts';

const GATES = {
  sent: 'Request {0} takes {1} of {2} tokens (hard limit: {3}).',
  warned: 'Request {0} takes {1} of {2} tokens, which is above the hard limit of {3}; it is sent all the same.',
  blocked: 'Request {0} takes {1} of {2} tokens, which is above the hard limit of {3}; it is not sent.',
} as const;

const PASSES = {
  compression: 'History was compressed before request {0} (tokens: {1} before, {2} now; changes: {3}).',
  emergency: 'Request {0} was above its limit and was cut (tokens: {1} before, {2} now; changes: {3}).',
} as const;

const EDITS = {
  summarize:
    'A summary by {0} stands for messages of the history (units: {1}; tokens of the request: {2} before, {3} now).',
  remove:
    'Messages left the view; the log keeps them (by: {0}; units: {1}; tokens of the request: {2} before, {3} now).',
  unload: 'A document left the view (by: {0}; units: {1}; tokens of the request: {2} before, {3} now).',
  archive:
    'A summary left the view; the log keeps it (by: {0}; units: {1}; tokens of the request: {2} before, {3} now).',
} as const;

const NOTICES = {
  anchor: 'A message restates what the session is about (tokens of the request: {0} before, {1} now).',
  'constraint-update':
    'A message tells the model of a changed constraint (tokens of the request: {0} before, {1} now).',
  'gap-notice': 'A message tells the model what is missing (tokens of the request: {0} before, {1} now).',
} as const;

const REFUSALS = {
  'not-smaller': 'A change of the view by {0} was not made: it frees nothing.',
  'active-block': 'A change of the view by {0} was not made: an active block stays whole.',
  unconsumed: 'A change of the view by {0} was not made: no answer has consumed that content yet.',
  'tier-1': 'A change of the view by {0} was not made: the first tier stays whole.',
  'first-message': 'A change of the view by {0} was not made: the view would begin with an answer.',
  unknown: 'A change of the view by {0} was not made: nothing like that is in the view.',
  'no-objective': 'Nothing was restated by {0}: nobody has said what the session is about.',
} as const;

/** Tiers, compression, anchors, checks and handoff. */
export const budgetSentences: Sentences<BudgetEventType> = {
  'budget/measured': ({ requestSequence, total, limits, gate }) =>
    sentence(GATES[gate], requestSequence, countText(total), grouped(limits.window.tokens), grouped(limits.hard)),
  'budget/pass': ({ kind, requestSequence, before, after, edits, outcome }) =>
    edits === 0
      ? sentence('Nothing of the history could be compressed before request {0}.', requestSequence)
      : outcome === 'target-missed'
        ? sentence(
            'History was compressed before request {0}, but by less than half (tokens: {1} before, {2} now; changes: {3}).',
            requestSequence,
            countText(before),
            countText(after),
            edits,
          )
        : sentence(PASSES[kind], requestSequence, countText(before), countText(after), edits),
  'budget/edit': editSentence,
  'budget/edit-refused': ({ reason, actor }) => sentence(REFUSALS[reason], actor),
  'budget/summary-failed': ({ actor, reason }) =>
    sentence('{0} gave no usable summary, so the extractive one was taken: {1}.', actor, reason.replace(/\.$/, '')),
  'budget/reset-requested': ({ requestSequence, total, hard, largest }) =>
    sentence(
      'Request {0} takes {1} tokens and cannot be brought below {2}; a new session is needed (largest: {3}).',
      requestSequence,
      countText(total),
      grouped(hard),
      largest.map(({ part, amount }) => `${part} ${countText(amount)}`).join(', '),
    ),
  'budget/limit-learned': ({ tokens, source }) =>
    sentence(
      'The provider refused a request for its length, so the limit is {0} tokens now ({1}).',
      grouped(tokens),
      source,
    ),
  'budget/tier1-set': ({ constraints, source }) =>
    sentence('{0} set the first tier (constraints: {1}).', source, constraints.length),
  'budget/tier1-updated': ({ id, source, old, new: value }) =>
    old === undefined
      ? sentence('{0} added {1} to the first tier.', source, id)
      : value === undefined
        ? sentence('{0} took {1} out of the first tier.', source, id)
        : sentence('{0} changed {1} in the first tier.', source, id),
  'budget/tier1-denied': ({ id, source, class: sourceClass }) =>
    sentence('{0} may not change {1} in the first tier, so nothing changed (its class: {2}).', source, id, sourceClass),
  'budget/drift': ({ requestSequence, response }) =>
    response === 'paused'
      ? sentence('Request {0} does not hold the first tier as it was set; the agent was paused.', requestSequence)
      : sentence(
          'Request {0} does not hold the first tier as it was set; the agent cannot be paused.',
          requestSequence,
        ),
  'budget/checked': ({ interactions, results }) =>
    sentence(
      'The session was checked after {0} interactions (in order: {1}; contradictions: {2}; not evaluated: {3}).',
      interactions,
      ...(['ok', 'contradiction', 'not-evaluated'] as const).map(
        kind => results.filter(({ result }) => result === kind).length,
      ),
    ),
  'budget/contradiction': ({ check }) =>
    sentence('A summary contradicts what was said first ({0}); the original counts.', check),
  'budget/document': ({ document, units }) =>
    sentence('{0} is in the view as a document (units: {1}).', document, units.length),
  'budget/document-touched': ({ document }) => sentence('{0} was used.', document),
  'budget/handoff': ({ action, from, gaps }) =>
    action === 'saved'
      ? sentence('The session was saved for another one (gaps: {0}).', gaps.length)
      : sentence('The session goes on from session {0} (gaps: {1}).', from ?? '?', gaps.length),
};

function editSentence({ kind, notice = 'anchor', actor, units, before, after }: BudgetData<'budget/edit'>): Message {
  const [had, has] = [countText(before), countText(after)];
  return kind === 'append' ? sentence(NOTICES[notice], had, has) : sentence(EDITS[kind], actor, units.length, had, has);
}
