import { createHash, type Hash } from 'node:crypto';
import type { IncrementalSha256 } from '../protocol/request/hashing.ts';

/** SHA-256 of a text's UTF-8 bytes, in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Begins a hash of nothing yet. */
export function startSha256(): IncrementalSha256 {
  return incremental(createHash('sha256'));
}

function incremental(hash: Hash): IncrementalSha256 {
  return {
    update(piece) {
      hash.update(piece, 'utf8');
    },
    copy: () => incremental(hash.copy()),
    digest: () => hash.digest('hex'),
  };
}
