import { sha256 } from './hashing.ts';
import { CrossCheckError } from './requestErrors.ts';
import type { SessionLog } from './sessionLog.ts';
import type { Sealed } from './sessionTypes.ts';

/** Rebuilds a sealed request from the log alone. Throws `CrossCheckError` where it is another, or cannot be rebuilt. */
export function crossCheck(
  { history }: SessionLog,
  { requestSequence, hash }: Pick<Sealed, 'requestSequence' | 'hash'>,
  hashes: boolean,
): void {
  const text = history.sealedText(requestSequence);
  if (text === undefined || (!hashes && sha256(text) !== hash)) {
    throw new CrossCheckError(requestSequence);
  }
}
