import type { Logged } from '../../protocol/lifecycle/lifecycleState.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import { classText } from './drawing.ts';
import { placeText, shortPlaceText } from './sourcePlace.ts';
import { shown, type Wording } from './wording.ts';

type Discarded = Pick<Logged<'block/discarded'>, 'source' | 'line' | 'class' | 'connection'>;

/** Who discarded, as a row or a line has room for it: the file's name is enough where the tooltip says the rest. */
export function discarderShort(
  { source, connection }: Pick<Discarded, 'source' | 'connection'>,
  { say }: Wording,
  line?: number,
): string {
  return connection === undefined ? shortPlaceText(source, line) : say(sentence('an editor'));
}

/** Who discarded: a source with its class, below the session's folder `cwd` shortened, or somebody at an editor. */
export function discarderText(
  { source, line, class: sourceClass, connection }: Discarded,
  cwd: string | undefined,
  wording: Wording,
): string {
  return connection === undefined
    ? wording.say(sentence('{0} ({1})', placeText(source, cwd, line), classText(wording, sourceClass)))
    : wording.say(sentence('an editor (connection {0})', shown(connection, 40)));
}
