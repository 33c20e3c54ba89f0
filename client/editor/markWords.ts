import type { Message } from '../../protocol/lifecycle/text.ts';
import type { Amount } from '../../protocol/log/sessionEvents.ts';
import { plainLine } from './plainLine.ts';
import type { TagMark } from './tagMarks.ts';

/** What the words of a mark need beside the mark. */
export interface MarkContext {
  /** The agent's name, as the session gives it. */
  readonly agent: string;
  /** How the session is known: what is not connected says nothing of now. */
  readonly link: 'connected' | 'lost' | 'ended' | 'past';
  /** What the block takes in a request; absent while nobody has counted it. */
  readonly tokens?: Amount | undefined;
  /** A source as a person knows it. */
  readonly shown: (source: string) => string;
}

/** The end-of-line text, as phrases. */
export function markPhrases(mark: TagMark, context: MarkContext): readonly Message[] {
  return [...statePhrases(mark, context), ...linkPhrases(context)];
}

function statePhrases({ state, block, winner, sent, changed }: TagMark, context: MarkContext): readonly Message[] {
  const source = (name: string): string => plainLine(context.shown(name));
  switch (state) {
    case 'active':
    case 'drifted': {
      const since = String(block?.activated.requestSequence ?? '?');
      return [
        say(sent ? 'active since request {0}' : 'active from request {0} on', since),
        ...(changed ? [say('this text is another one')] : []),
        ...sizePhrases(block?.activated.bytes, context.tokens),
      ];
    }
    case 'discarded': {
      const by = block?.discarded;
      return [say('discarded by {0} at request {1}', source(by?.source ?? '?'), String(by?.requestSequence ?? '?'))];
    }
    case 'discards':
      return [say('discarded {0} at request {1}', block?.id ?? '?', String(block?.discarded?.requestSequence ?? '?'))];
    case 'conflict': {
      const place = source(winner?.source ?? '?');
      return winner?.line === undefined
        ? [say('conflicting: {0} defined it first', place)]
        : [say('conflicting: {0}, line {1}, defined it first', place, String(winner.line))];
    }
    case 'denied':
      return [say('not active: this source may not define blocks')];
    case 'absent':
      return [say('not loaded by this session')];
  }
}

/** Tokens with the mark of an estimate, or bytes where nobody has counted. */
function sizePhrases(bytes: number | undefined, tokens: Amount | undefined): readonly Message[] {
  if (tokens) {
    return [say('{0} tokens', amountText(tokens))];
  }
  return bytes === undefined ? [] : [say('{0} bytes', bytes.toLocaleString('en'))];
}

/** DESIGN, Numbers: `~` before what is only estimated. */
function amountText({ tokens, origin }: Amount): string {
  return `${origin === 'estimated' ? '~' : ''}${tokens.toLocaleString('en')}`;
}

function linkPhrases({ link }: MarkContext): readonly Message[] {
  switch (link) {
    case 'connected':
      return [];
    case 'past':
      return [say('in a past session')];
    case 'lost':
      return [say('connection lost')];
    case 'ended':
      return [say('the session has ended')];
  }
}

/** The hover, in whole sentences; its values are from document and session, and stand nowhere as markup. */
export function markSentences(mark: TagMark, context: MarkContext): readonly Message[] {
  return [linkSentence(context), ...stateSentences(mark, context)].map(message => ({
    ...message,
    values: message.values.map(plainLine),
  }));
}

function linkSentence({ agent, link }: MarkContext): Message {
  switch (link) {
    case 'connected':
      return say('In the connected session of {0}:', agent);
    case 'past':
      return say('In a past session of {0}:', agent);
    case 'lost':
      return say('In the session of {0}, whose connection is lost:', agent);
    case 'ended':
      return say('In the session of {0}, which has ended:', agent);
  }
}

function stateSentences({ state, blockId, block, winner, sent, changed }: TagMark, context: MarkContext): Message[] {
  switch (state) {
    case 'active':
    case 'drifted':
    case 'discarded':
      return block ? blockSentences(block, { sent, changed }, context) : [];
    case 'discards': {
      const request = String(block?.discarded?.requestSequence ?? '?');
      const rule = block?.discarded?.rule ?? '?';
      return [
        say('This line discarded block {0}: it is absent from request {1} on.', blockId, request),
        say('What allowed it: {0}.', rule),
      ];
    }
    case 'conflict': {
      const place = context.shown(winner?.source ?? '?');
      return [
        winner?.line === undefined
          ? say('This definition of {0} does not count: {1} defined the ID first.', blockId, place)
          : say(
              'This definition of {0} does not count: {1}, line {2}, defined the ID first.',
              blockId,
              place,
              String(winner.line),
            ),
      ];
    }
    case 'denied':
      return [
        say('Block {0} is not active: the policy of the session does not let this source define blocks.', blockId),
      ];
    case 'absent':
      return [
        say(
          'Block {0} was not there when the session loaded this file. It becomes active when the agent loads the file again.',
          blockId,
        ),
      ];
  }
}

function blockSentences(
  { id, activated, discarded }: NonNullable<TagMark['block']>,
  { sent, changed }: Pick<TagMark, 'sent' | 'changed'>,
  { tokens, shown }: MarkContext,
): Message[] {
  const size = tokens
    ? say('It takes {0} bytes, {1} tokens.', activated.bytes.toLocaleString('en'), amountText(tokens))
    : say('It takes {0} bytes.', activated.bytes.toLocaleString('en'));
  const state = discarded
    ? [
        say('Block {0} was active from request {1} on.', id, String(activated.requestSequence)),
        discarded.line === undefined
          ? say(
              '{0} discarded it: it is absent from request {1} on.',
              shown(discarded.source),
              String(discarded.requestSequence),
            )
          : say(
              '{0}, line {2}, discarded it: it is absent from request {1} on.',
              shown(discarded.source),
              String(discarded.requestSequence),
              String(discarded.line),
            ),
        say('What allowed it: {0}.', discarded.rule),
      ]
    : [
        sent
          ? say('Block {0} is active: every request since request {1} holds it.', id, String(activated.requestSequence))
          : say(
              'Block {0} is active: every request from request {1} on will hold it.',
              id,
              String(activated.requestSequence),
            ),
        say('What allowed it: {0}.', activated.rule),
        size,
      ];
  const drift = changed
    ? [say('What stands here now is not what was activated. The session keeps the text that it activated.')]
    : [];
  return [...state, ...drift];
}

function say(template: string, ...values: readonly string[]): Message {
  return { template, values };
}
