import type { Sha256 } from '../request/hashing.ts';
import { isJsonObject, type Json } from '../request/json.ts';
import { count, sha256 as sha256Shape } from '../shape.ts';
import { utf8Length } from '../utf8Length.ts';

/** Stands for content that is kept from a log or a watcher: of a text itself, of any other value of its JSON text. */
export interface Digest {
  readonly sha256: string;
  /** UTF-8 length. */
  readonly bytes: number;
  readonly [member: string]: Json;
}

/** A digest of a value; a value that is a digest already stays as it is. */
export function digestOf(value: Json, sha256: Sha256): Digest {
  if (isDigest(value)) {
    return value;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { sha256: sha256(text), bytes: utf8Length(text) };
}

/** Whether a value is what `digestOf` gives. */
export function isDigest(value: Json | undefined): value is Digest {
  return (
    isJsonObject(value) &&
    Object.keys(value).length === 2 &&
    sha256Shape.fault(value['sha256'], 'sha256') === undefined &&
    count.fault(value['bytes'], 'bytes') === undefined
  );
}
