import { tokensText } from '../../protocol/log/priceWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { Amount } from '../../protocol/log/sessionEvents.ts';
import { discarderShort, discarderText } from '../views/discarders.ts';
import { placeText } from '../views/sourcePlace.ts';
import { beside, bytesText, shown, type Wording } from '../views/wording.ts';
import type { TagMark } from './tagMarks.ts';

/** What the words of a mark need beside the mark. */
export interface MarkContext {
  readonly wording: Wording;
  /** The agent's name and its working folder, as the session gives them. */
  readonly agent: string;
  readonly cwd: string | undefined;
  /** How the session is known: what is not connected says nothing of now. */
  readonly link: 'connected' | 'lost' | 'ended' | 'past';
  /** What the block takes in a request; absent while nobody has counted it. */
  readonly tokens?: Amount | undefined;
}

/** The text at the end of the line: one line of bounded length. */
export function markText(mark: TagMark, context: MarkContext): string {
  return beside([...statePhrases(mark, context), linkPhrase(context)]);
}

function statePhrases(
  { state, block, winner, refusal, sent, changed, observed }: TagMark,
  context: MarkContext,
): readonly string[] {
  const { wording, tokens, cwd } = context;
  const { say } = wording;
  switch (state) {
    case 'active':
    case 'drifted': {
      const { requestSequence: since = 0, bytes = 0 } = block?.activated ?? {};
      return [
        say(sent ? sentence('active since request {0}', since) : sentence('active from request {0} on', since)),
        changed ? say(sentence('changed since it was loaded')) : '',
        observed === undefined ? '' : say(sentence('observe only')),
        tokens ? tokensText(wording, tokens) : bytesText(wording, bytes),
      ];
    }
    case 'kept':
      return [
        say(
          sentence(
            'discarded at request {0}, but the agent still sends it by itself',
            block?.discarded?.requestSequence ?? 0,
          ),
        ),
      ];
    case 'discarded': {
      const { discarded } = block ?? {};
      const by = discarded ? discarderShort(discarded, wording, discarded.line) : '';
      return [say(sentence('discarded by {0} at request {1}', by, discarded?.requestSequence ?? 0))];
    }
    case 'discards': {
      const request = block?.discarded?.requestSequence ?? 0;
      return [say(sentence('discarded the block at request {0}', request))];
    }
    case 'refused':
      return [
        refusal?.why === 'unknown'
          ? say(sentence('not obeyed: there was no such block at request {0}', refusal.request))
          : say(sentence('not obeyed: this source may not discard')),
      ];
    case 'conflict':
      return [say(sentence('conflict: {0} defined it first', placeText(winner?.source ?? '', cwd, winner?.line)))];
    case 'denied':
      return [say(sentence('not active: this source may not define blocks'))];
    case 'absent':
      return [say(sentence('not loaded by this session'))];
  }
}

function linkPhrase({ link, wording: { say } }: MarkContext): string {
  switch (link) {
    case 'connected':
      return '';
    case 'past':
      return say(sentence('in a past session'));
    case 'lost':
      return say(sentence('connection lost'));
    case 'ended':
      return say(sentence('the session has ended'));
  }
}

/** The hover, in paragraphs; what comes from document and session in them is one bounded line, and is no markup yet. */
export function markParagraphs(mark: TagMark, context: MarkContext): readonly string[] {
  return [linkSentence(context), ...stateSentences(mark, context)];
}

function linkSentence({ agent, link, wording: { say } }: MarkContext): string {
  const name = shown(agent);
  switch (link) {
    case 'connected':
      return say(sentence('In the connected session of {0}:', name));
    case 'past':
      return say(sentence('In a past session of {0}:', name));
    case 'lost':
      return say(sentence('In the session of {0}, whose connection is lost:', name));
    case 'ended':
      return say(sentence('In the session of {0}, which has ended:', name));
  }
}

function stateSentences(mark: TagMark, context: MarkContext): readonly string[] {
  const { state, blockId, block, winner, refusal } = mark;
  const { say } = context.wording;
  const id = shown(blockId);
  switch (state) {
    case 'active':
    case 'drifted':
      return activeSentences(mark, context);
    case 'discarded':
    case 'kept':
      return discardedSentences(mark, context);
    case 'discards': {
      const { requestSequence = 0, rule = '' } = block?.discarded ?? {};
      return [
        say(sentence('This line discarded block {0}: it is absent from request {1} on.', id, requestSequence)),
        say(sentence('Why it was allowed: {0}', shown(rule))),
      ];
    }
    case 'refused': {
      const request = refusal?.request ?? 0;
      return [
        refusal?.why === 'unknown'
          ? say(sentence('This line changed nothing: no block {0} was known before request {1}.', id, request))
          : say(
              sentence(
                'This line changed nothing: the policy of the session does not let this source discard block {0} (before request {1}).',
                id,
                request,
              ),
            ),
      ];
    }
    case 'conflict': {
      const first = placeText(winner?.source ?? '', context.cwd, winner?.line);
      return [say(sentence('This definition of block {0} does not count: {1} defined that ID first.', id, first))];
    }
    case 'denied':
      return [
        say(sentence('Block {0} is not active: the policy of the session lets this source define no blocks.', id)),
      ];
    case 'absent':
      return [
        say(sentence('Block {0} was not there when the session loaded this file.', id)),
        say(sentence('It becomes active when the agent loads the file again.')),
      ];
  }
}

function activeSentences(
  { blockId, block, sent, changed, observed }: TagMark,
  { wording, tokens }: MarkContext,
): readonly string[] {
  const { say } = wording;
  const { requestSequence: since = 0, bytes = 0, rule = '' } = block?.activated ?? {};
  const size = bytesText(wording, bytes);
  const id = shown(blockId);
  return [
    sent
      ? say(sentence('Block {0} is active: it is part of every request since request {1}.', id, since))
      : say(sentence('Block {0} is active: it will be part of every request from request {1} on.', id, since)),
    tokens ? beside([size, tokensText(wording, tokens)]) : size,
    say(sentence('Why it was allowed: {0}', shown(rule))),
    observed === undefined ? '' : say(sentence('Observe only: {0}', shown(observed))),
    changed
      ? say(sentence('What stands here now is not what was loaded: the session keeps the text that it loaded.'))
      : '',
  ].filter(text => text !== '');
}

function discardedSentences(
  { blockId, block, changed, observed }: TagMark,
  { wording, cwd }: MarkContext,
): readonly string[] {
  const { say, time } = wording;
  const { requestSequence = 0, rule = '', time: when = 0 } = block?.discarded ?? {};
  const by = block?.discarded ? discarderText(block.discarded, cwd, wording) : '';
  const id = shown(blockId);
  return [
    ...(observed === undefined
      ? [say(sentence('Block {0} was discarded by {1}: it is absent from request {2} on.', id, by, requestSequence))]
      : [
          say(
            sentence(
              'Block {0} was discarded by {1} at request {2}, but the agent still sends it by itself.',
              id,
              by,
              requestSequence,
            ),
          ),
          say(sentence('Observe only: {0}', shown(observed))),
        ]),
    say(sentence('When: {0}', time(when))),
    say(sentence('Why it was allowed: {0}', shown(rule))),
    say(sentence('It was active from request {0} on.', block?.activated.requestSequence ?? 0)),
    changed ? say(sentence('What stands here now is not what was loaded.')) : '',
  ].filter(text => text !== '');
}
