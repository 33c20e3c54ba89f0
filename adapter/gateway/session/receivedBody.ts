import { isAscii, isUtf8 } from 'node:buffer';
import { notUnderstood, UnreadableBodyError } from '../apis/gatewayApi.ts';
import type { ReceivedBody } from '../body/bodyView.ts';
import type { ParsedBodies } from '../body/parsedBodies.ts';

/**
 * Reads a body; what it shares with those that were read before is not read again. Throws `UnreadableBodyError` for what is no
 * JSON object in UTF-8, or names a member twice: nobody could tell what the model would read.
 */
export function receivedBody(bytes: Uint8Array, bodies: ParsedBodies): ReceivedBody {
  if (!isUtf8(bytes)) {
    throw notUnderstood('its body is no UTF-8 text');
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return bodies.read(buffer.toString(isAscii(bytes) ? 'latin1' : 'utf8'));
  } catch (error) {
    // JSON.parse's own sentence quotes the body.
    throw error instanceof UnreadableBodyError ? error : notUnderstood('its body is no JSON');
  }
}
