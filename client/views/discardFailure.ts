import { UnansweredError } from '../../local/wire/watcherLink.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import { inNotification } from '../session/plainWords.ts';
import type { Wording } from './wording.ts';

/** Why a discard failed, for a notification. What was asked and not answered may have been done. */
export function failureText(blockId: string, error: unknown, { say }: Wording): string {
  const id = inNotification(blockId);
  const reason = inNotification(error instanceof Error ? error.message : String(error));
  return error instanceof UnansweredError
    ? say(
        sentence(
          'It is not known whether block {0} was discarded: {1} The sidebar shows what the session says of it.',
          id,
          reason,
        ),
      )
    : say(sentence('Block {0} was not discarded: {1}', id, reason));
}
