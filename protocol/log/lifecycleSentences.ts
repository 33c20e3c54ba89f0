import type { LifecycleEventType } from '../lifecycle/lifecycleEvents.ts';
import { type Sentences, sentence } from './sentence.ts';

/** Sources, blocks and ephemeral units. */
export const lifecycleSentences: Sentences<LifecycleEventType> = {
  'source/loaded': ({ source, class: sourceClass, blocks, problems }) =>
    problems.length === 0
      ? sentence('{0} was loaded as {1} (valid blocks: {2}).', source, sourceClass, blocks.length)
      : sentence(
          '{0} was loaded as {1} (valid blocks: {2}; problems: {3}).',
          source,
          sourceClass,
          blocks.length,
          problems.length,
        ),
  'source/drifted': ({ source, drifted }) =>
    drifted
      ? sentence('{0} has changed since it was loaded; its blocks stay as they were.', source)
      : sentence('{0} has the text again with which it was loaded.', source),
  'block/activated': ({ blockId, source, requestSequence }) =>
    sentence('Block {0} of {1} is active from request {2} on.', blockId, source, requestSequence),
  'block/conflict': ({ blockId, source, winner }) =>
    sentence('Block {0} of {1} does not count: {2} defined that ID first.', blockId, source, winner.source),
  'block/denied': ({ blockId, source, rule }) =>
    sentence('Block {0} of {1} does not count: that source may not define blocks ({2}).', blockId, source, rule),
  'block/discarded': ({ blockId, source, requestSequence, connection }) =>
    connection === undefined
      ? sentence('{1} discarded block {0}: it is absent from request {2} on.', blockId, source, requestSequence)
      : sentence(
          'Connection {3} discarded block {0} as {1}: it is absent from request {2} on.',
          blockId,
          source,
          requestSequence,
          connection,
        ),
  'discard/repeated': ({ blockId, source }) =>
    sentence('{1} discarded block {0} once more; it was discarded already.', blockId, source),
  'discard/unknown': ({ blockId, source }) =>
    sentence('{1} discarded block {0}, which nothing has defined.', blockId, source),
  'discard/denied': ({ blockId, source, rule }) =>
    sentence('{1} may not discard block {0}, so nothing changed ({2}).', blockId, source, rule),
  'discard/overflow': ({ source, rest }) =>
    sentence('{0} holds more discards than are looked at in one place (left out: {1}).', source, rest),
  'ephemeral/admitted': ({ source, bytes, requestSequence }) =>
    sentence('Ephemeral content of {0} goes into request {1} whole (bytes: {2}).', source, requestSequence, bytes),
  'ephemeral/consumed': ({ source, bytes, tombstoneBytes, requestSequence }) =>
    sentence(
      'A tombstone stands for ephemeral content of {0} from request {1} on (bytes: {2} before, {3} now).',
      source,
      requestSequence,
      bytes,
      tombstoneBytes,
    ),
};
