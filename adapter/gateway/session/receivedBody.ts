import { isAscii, isUtf8 } from 'node:buffer';
import { isJsonObject } from '../../../protocol/request/json.ts';
import { UnreadableBodyError } from '../apis/gatewayApi.ts';
import type { ReceivedBody } from '../body/bodyView.ts';

const MEND = 'Check that the agent speaks the API that this address is for.';

/** Reads a body. Throws `UnreadableBodyError` for what is no JSON object in UTF-8: nobody could tell what the model would read. */
export function receivedBody(bytes: Uint8Array): ReceivedBody {
  if (!isUtf8(bytes)) {
    throw new UnreadableBodyError(`The request was not understood, because its body is no UTF-8 text. ${MEND}`);
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // the error's own sentence quotes the body
    throw new UnreadableBodyError(`The request was not understood, because its body is no JSON. ${MEND}`);
  }
  if (!isJsonObject(value)) {
    throw new UnreadableBodyError(`The request was not understood, because its body is no JSON object. ${MEND}`);
  }
  return { text, value };
}
