import type { NewEvent } from '../protocol/log/sessionEvents.ts';
import type { RequestState, SessionState } from '../protocol/log/sessionState.ts';
import type { Receipt } from './sessionTypes.ts';

/** A sealed request by its number; absent for a number that is none. */
export function sealedRequest({ requests }: SessionState, requestSequence: number): RequestState | undefined {
  return Number.isSafeInteger(requestSequence) ? requests.get(requestSequence - 1) : undefined;
}

/**
 * What left, for the log. A hash is compared with that of the body where the log has one, else with the sealed one. Throws
 * `RangeError` for a request that was not sealed.
 */
export function receiptEvent(state: SessionState, requestSequence: number, seen: string | Receipt): NewEvent {
  const request = sealedRequest(state, requestSequence);
  if (!request) {
    throw new RangeError(`There is no request ${requestSequence} in this session, so there can be no receipt of it.`);
  }
  const expected = request.body?.sha256 ?? request.sealed.hash;
  const receipt: Receipt =
    typeof seen === 'string' ? { result: seen === expected ? 'matched' : 'mismatch', sha256: seen } : seen;
  return { type: 'request/receipt', data: { requestSequence, ...receipt } };
}
