import type { BudgetData, BudgetEventType } from '../budget/budgetEvents.ts';
import type { Message } from '../lifecycle/text.ts';
import { countText, grouped } from './countText.ts';
import { type Sentences, sentence } from './sentence.ts';

const GATES = {
  sent: 'Request {0} takes {1} of {2} tokens (limit: {3}).',
  warned: 'Request {0} takes {1} of {2} tokens, which is above the limit of {3}; it is sent all the same.',
  blocked: 'Request {0} takes {1} of {2} tokens, which is above the limit of {3}; it is not sent.',
} as const;

/** Numbers that are only estimated count with head-room: within the limit, they may still be above it. */
const MAYBE_ABOVE = {
  sent: GATES.sent,
  warned:
    'Request {0} takes {1} of {2} tokens, an estimate that may be too low: it may be above the limit of {3}, and is sent all the same.',
  blocked:
    'Request {0} takes {1} of {2} tokens, an estimate that may be too low: it may be above the limit of {3}, and is not sent.',
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
  'tier-1': 'A change of the view by {0} was not made: task and constraints stay whole.',
  'first-message': 'A change of the view by {0} was not made: the view would begin with an answer.',
  unknown: 'A change of the view by {0} was not made: nothing like that is in the view.',
  'no-objective': 'Nothing was restated by {0}: nobody has said what the session is about.',
} as const;

const TIER1_SET = {
  set: '{0} set the task and the constraints (constraints: {1}).',
  rebase:
    '{0} had the changed task and constraints written into the prefix, which breaks the cache once (constraints: {1}).',
  resume: '{0} set the task and the constraints of a session that goes on (constraints: {1}).',
  emergency: '{0} wrote the changed task and constraints into the prefix, which was cut anyway (constraints: {1}).',
} as const;

const TASK_CHANGES = {
  new: '{0} set the task.',
  other: '{0} changed the task.',
  gone: '{0} took the task away.',
} as const;

const IDENTITY_CHANGES = {
  new: '{0} set who the agent is.',
  other: '{0} changed who the agent is.',
  gone: '{0} took away who the agent is.',
} as const;

const OUTPUT_CHANGES = {
  new: '{0} set the form of the output.',
  other: '{0} changed the form of the output.',
  gone: '{0} took the form of the output away.',
} as const;

const CONSTRAINT_CHANGES = {
  new: '{0} added constraint {1}.',
  other: '{0} changed constraint {1}.',
  gone: '{0} took constraint {1} away.',
} as const;

const CHECKED = {
  interactions:
    'The session was checked after {0} interactions (in order: {1}; contradictions: {2}; not evaluated: {3}).',
  resume: 'What the session took over was checked (in order: {0}; contradictions: {1}; not evaluated: {2}).',
} as const;

/** By the name of the check; what an older or a newer version checks has its own words. */
const CONTRADICTIONS = {
  'summary-constraints': 'A summary holds a constraint that nobody gave; the line was struck.',
  'superseded-values': 'A summary holds a value that was replaced; the line was struck.',
  'discarded-blocks': 'A summary holds a line of a discarded block as a constraint; the line was struck.',
  quotes: 'A summary quotes what nobody said; the line was struck.',
} as const;

/** Tiers, compression, anchors, checks and handoff. */
export const budgetSentences: Sentences<BudgetEventType> = {
  'budget/measured': ({ requestSequence, total, limits, gate }) =>
    sentence(
      total.tokens > limits.hard ? GATES[gate] : MAYBE_ABOVE[gate],
      requestSequence,
      countText(total),
      grouped(limits.window.tokens),
      grouped(limits.hard),
    ),
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
      total.tokens > hard
        ? 'Request {0} takes {1} tokens and cannot be brought below {2}; a new session is needed (largest: {3}).'
        : 'Request {0} takes {1} tokens, may be above {2}, and cannot be made smaller; a new session is needed (largest: {3}).',
      requestSequence,
      countText(total),
      grouped(hard),
      largest.map(({ part, amount }) => `${part.replace(/^tier(?=\d)/, 'tier ')} ${countText(amount)}`).join(', '),
    ),
  'budget/limit-learned': ({ tokens, source }) =>
    sentence(
      'The provider refused a request for its length, so the limit is {0} tokens now ({1}).',
      grouped(tokens),
      source,
    ),
  'budget/tier1-set': ({ constraints, source, reason }) => sentence(TIER1_SET[reason], source, constraints.length),
  'budget/tier1-updated': changeSentence,
  'budget/tier1-denied': ({ id, source, class: sourceClass }) =>
    sentence(
      '{0} may not change the task and the constraints, so nothing changed (what: {1}; its class: {2}).',
      source,
      id,
      sourceClass,
    ),
  'budget/drift': ({ requestSequence, response }) =>
    response === 'paused'
      ? sentence(
          'Request {0} does not hold the task and the constraints as they were set; the agent was paused.',
          requestSequence,
        )
      : sentence(
          'Request {0} does not hold the task and the constraints as they were set; the agent cannot be paused.',
          requestSequence,
        ),
  'budget/checked': ({ occasion, interactions, results }) => {
    const counts = (['ok', 'contradiction', 'not-evaluated'] as const).map(
      kind => results.filter(({ result }) => result === kind).length,
    );
    return occasion === 'resume'
      ? sentence(CHECKED.resume, ...counts)
      : sentence(CHECKED.interactions, interactions, ...counts);
  },
  'budget/contradiction': ({ check }) =>
    Object.hasOwn(CONTRADICTIONS, check)
      ? sentence(CONTRADICTIONS[check as keyof typeof CONTRADICTIONS])
      : sentence('A summary contradicts what was said first ({0}); the original counts.', check),
  'budget/document': ({ document, units }) =>
    sentence('{0} is in the view as a document (units: {1}).', document, units.length),
  'budget/document-touched': ({ document }) => sentence('{0} was used.', document),
  'budget/handoff': ({ action, from, blocks, gaps }) =>
    action === 'saved'
      ? sentence('The session was saved for another one (gaps: {0}).', gaps.length)
      : sentence(
          'The session goes on from session {0} (blocks: {1}; gaps: {2}).',
          from ?? '?',
          blocks.length,
          gaps.length,
        ),
};

/** Every ID but three is that of a constraint. */
function changeSentence({ id, source, old, new: value }: BudgetData<'budget/tier1-updated'>): Message {
  const change = old === undefined ? 'new' : value === undefined ? 'gone' : 'other';
  switch (id) {
    case 'objective':
      return sentence(TASK_CHANGES[change], source);
    case 'identity':
      return sentence(IDENTITY_CHANGES[change], source);
    case 'outputFormat':
      return sentence(OUTPUT_CHANGES[change], source);
    default:
      return sentence(CONSTRAINT_CHANGES[change], source, id);
  }
}

function editSentence({
  kind,
  notice = 'anchor',
  document,
  actor,
  units,
  ...sizes
}: BudgetData<'budget/edit'>): Message {
  const [had, has] = [countText(sizes.before), countText(sizes.after)];
  switch (kind) {
    case 'append':
      return sentence(NOTICES[notice], had, has);
    case 'unload':
      return sentence(
        'The document {0} left the view (by: {1}; units: {2}; tokens of the request: {3} before, {4} now).',
        document ?? '?',
        actor,
        units.length,
        had,
        has,
      );
    default:
      return sentence(EDITS[kind], actor, units.length, had, has);
  }
}
