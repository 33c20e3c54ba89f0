import { readFileSync } from 'node:fs';
import type { RequestHeader } from '../../../protocol/request/header.ts';
import type { HeaderDelta } from '../../../protocol/request/headerDelta.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';

/** The cases of test/vectors/request-header.json (request-log 13). */
export type VectorCase = DiffCase | CanonicalCase | FoldCase | WriterCase | ReconstructCase;

interface Named {
  readonly id: string;
  readonly note: string;
}

export interface DiffCase extends Named {
  readonly kind: 'diff';
  readonly strength?: 'observed';
  readonly prev: RequestHeader;
  readonly next: RequestHeader;
  readonly equal: boolean;
  readonly delta: HeaderDelta | null;
  readonly applied: RequestHeader | null;
  readonly needsFallback: boolean;
  readonly written: { readonly type: string; readonly reason?: string } | null;
  readonly foldAfterWrite?: RequestHeader;
}

export interface CanonicalCase extends Named {
  readonly kind: 'canonical';
  readonly raw: RequestHeader;
  readonly canonical: RequestHeader;
}

export interface FoldCase extends Named {
  readonly kind: 'fold';
  readonly strength: 'required' | 'observed';
  readonly events: readonly LogEvent[];
  readonly upTo: number;
  readonly from?: RequestHeader;
  readonly outcome: 'header' | 'none' | 'throws';
  readonly header: RequestHeader | null;
}

export interface WriterCase extends Named {
  readonly kind: 'writer';
  readonly instances: readonly (readonly RequestHeader[])[];
  readonly written: readonly ({ readonly type: string; readonly data: JsonObject } | null)[];
}

export interface ReconstructCase extends Named {
  readonly kind: 'reconstruct';
  readonly events: readonly LogEvent[];
  readonly requests: readonly { readonly stepStartSeq: number; readonly request: JsonObject }[];
}

const file = new URL('../../vectors/request-header.json', import.meta.url);

const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly VectorCase[] };

/** All cases of one kind, deep-frozen: who changes what it was given throws. */
export function vectorCases<Kind extends VectorCase['kind']>(kind: Kind): readonly (VectorCase & { kind: Kind })[] {
  return cases
    .filter((entry): entry is VectorCase & { kind: Kind } => entry.kind === kind)
    .map(entry => deepFreeze(entry));
}

/** Freezes a value and all that it holds, in place. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Whether a value and all that it holds is frozen. */
export function isDeepFrozen(value: unknown): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(item => isDeepFrozen(item)))
  );
}
