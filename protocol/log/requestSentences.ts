import type { Message } from '../lifecycle/text.ts';
import { isJsonObject, type Json } from '../request/json.ts';
import { countText } from './countText.ts';
import { type Sentences, sentence } from './sentence.ts';
import type { EventData } from './sessionEvents.ts';

const WHOLE_HEADER = {
  initial: 'The header was written whole: it is the first of this log.',
  resume: 'The header was written whole: the session went on in another instance.',
  fallback: 'The header was written whole: what changed in it cannot be said in parts.',
} as const;

const RECEIPTS = {
  matched: 'What left as request {0} is what was sealed.',
  mismatch: 'What left as request {0} is not what was sealed.',
  quoted: 'What left as request {0} quotes a discarded block in ordinary content.',
  'not-reported': 'What left as request {0} is not known: the agent does not report it.',
} as const;

const RECEIPTS_WITH_EVIDENCE = {
  matched: 'What left as request {0} is what was sealed: {1}.',
  mismatch: 'What left as request {0} is not what was sealed: {1}.',
  quoted: 'What left as request {0} quotes a discarded block in ordinary content: {1}.',
  'not-reported': 'What left as request {0} is not known: {1}.',
} as const;

const ANSWERS = {
  completed: 'Request {0} was answered.',
  failed: 'The answer to request {0} failed, so it consumed nothing.',
  aborted: 'The answer to request {0} was aborted, so it consumed nothing.',
} as const;

/** Turns, steps and requests. */
export const requestSentences: Sentences<
  | 'turn/start'
  | 'turn/end'
  | 'step/start'
  | 'step/end'
  | 'request/header'
  | 'request/header-delta'
  | 'request/sealed'
  | 'request/body'
  | 'request/receipt'
> = {
  'turn/start': ({ turn }) => sentence('Turn {0} began.', turn),
  'turn/end': ({ turn, reason }) => {
    const word = kindOf(reason);
    return word === undefined ? sentence('Turn {0} ended.', turn) : sentence('Turn {0} ended: {1}.', turn, word);
  },
  'step/start': ({ turn, step, requestSequence }) =>
    requestSequence === undefined
      ? sentence('Step {1} of turn {0} began.', turn, step)
      : sentence('Step {1} of turn {0} began, for request {2}.', turn, step, requestSequence),
  'step/end': ({ turn, step, requestSequence, outcome }) =>
    requestSequence === undefined || outcome === undefined
      ? sentence('Step {1} of turn {0} ended.', turn, step)
      : sentence(ANSWERS[outcome], requestSequence),
  'request/header': ({ reason }) => sentence(WHOLE_HEADER[reason]),
  'request/header-delta': data => sentence('The header changed ({0}).', Object.keys(data).join(', ')),
  'request/sealed': sealedSentence,
  'request/body': ({ requestSequence, bytes, encoding }) =>
    encoding === undefined
      ? sentence('The body of request {0} leaves (bytes: {1}).', requestSequence, bytes)
      : sentence('The body of request {0} leaves, compressed as {2} (bytes: {1}).', requestSequence, bytes, encoding),
  'request/receipt': ({ requestSequence, result, evidence }) =>
    evidence === undefined
      ? sentence(RECEIPTS[result], requestSequence)
      : sentence(RECEIPTS_WITH_EVIDENCE[result], requestSequence, evidence.replace(/\.$/, '')),
};

function sealedSentence(sealed: EventData<'request/sealed'>): Message {
  const { requestSequence: request, messages, prefixMessages: prefix, bytes, sizes } = sealed;
  if (!sizes) {
    return prefix === undefined
      ? sentence('Request {0} is sealed (messages: {1}; bytes: {2}).', request, messages, bytes)
      : sentence('Request {0} is sealed (messages: {1}, prefix: {3}; bytes: {2}).', request, messages, bytes, prefix);
  }
  const tokens = countText(sizes.total);
  return prefix === undefined
    ? sentence('Request {0} is sealed (messages: {1}; bytes: {2}; tokens: {3}).', request, messages, bytes, tokens)
    : sentence(
        'Request {0} is sealed (messages: {1}, prefix: {4}; bytes: {2}; tokens: {3}).',
        request,
        messages,
        bytes,
        tokens,
        prefix,
      );
}

/** The word for a reason: it stands alone, or it is the `kind` of what explains it. */
function kindOf(reason: Json): string | undefined {
  const word = isJsonObject(reason) ? reason['kind'] : reason;
  return typeof word === 'string' ? word : undefined;
}
