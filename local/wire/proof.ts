import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Side } from '../../protocol/wire/messages.ts';

/** The nonces of one connection; each side makes its own, and no connection has those of another. */
export interface Nonces {
  readonly watcher: string;
  readonly host: string;
}

/** 128 random bits in hex, never used again. */
export function newNonce(): string {
  return randomBytes(16).toString('hex');
}

/** 256 random bits in hex. */
export function newToken(): string {
  return randomBytes(32).toString('hex');
}

/** Hex only, so that no nonce can look like another side's proof. */
export function isNonce(text: string): boolean {
  return /^[0-9a-f]{32,64}$/.test(text);
}

/** What a side sends to show that it has the token, which itself never crosses the socket. */
export function proofOf(side: Side, token: string, nonces: Nonces): string {
  return createHmac('sha256', token).update(`${side}:${nonces.watcher}:${nonces.host}`).digest('hex');
}

/** In a time that does not tell how much of the proof was right. */
export function isProof(given: string, side: Side, token: string, nonces: Nonces): boolean {
  const right = Buffer.from(proofOf(side, token, nonces));
  const there = Buffer.from(given);
  return there.length === right.length && timingSafeEqual(there, right);
}
