import type { Sha256 } from '../request/hashing.ts';
import type { JsonObject } from '../request/json.ts';
import type { Declaration } from './declaration.ts';
import type { MessageDescription, MessageFormat, UnitDescription } from './messageFormat.ts';
import type { SourceClass } from './policy.ts';
import { scanDeclarations } from './scan.ts';
import { isLineEnd, LineCounter } from './text.ts';

/** Counts what reading a transcript costs, so that tests can prove that unchanged messages cost a comparison only. */
export interface ReadWork {
  /** Messages that were copied, described and searched for tags. */
  parsed: number;
  /** Identities that were hashed. */
  hashed: number;
  /** Messages that were compared with one of the request before. */
  compared: number;
}

/** A discard line of a unit; lines count from 1 over all its texts. */
export interface Directive {
  readonly blockId: string;
  readonly line: number;
}

export interface ReadUnit {
  readonly description: UnitDescription;
  /** Its identity but for the number that tells equal ones apart. */
  readonly identity: string;
  readonly ephemeral: boolean;
  readonly directives: readonly Directive[];
}

/** All that is known of one message of the host. Never changed. */
export interface ReadMessage {
  /** Our own frozen copy. */
  readonly message: JsonObject;
  readonly description: MessageDescription;
  readonly units: readonly ReadUnit[];
  /** Whether one of its units has the tag; the policy is not asked here. */
  readonly ephemeral: boolean;
  /** Of its units, or of the message itself where it has none. */
  readonly identities: readonly string[];
  readonly answers: readonly string[];
  readonly classes: readonly SourceClass[];
}

/**
 * A host's id that is longer is hashed: what is logged of a unit stays short. So is one with a `#`, behind which stands the
 * number that tells equal ones apart.
 */
const LONGEST_ID = 64;
export const NUMBER_MARK = '#';

/** Describes a frozen message, names its units and finds their tags. */
export function readMessage(message: JsonObject, format: MessageFormat, sha256: Sha256, work?: ReadWork): ReadMessage {
  const hash: Sha256 = text => {
    if (work) {
      work.hashed++;
    }
    return sha256(text);
  };
  if (work) {
    work.parsed++;
  }
  const description = format.describe(message);
  const { role } = description;
  const units = description.units.map(unit => readUnit(unit, role, hash));
  return {
    message,
    description,
    units,
    ephemeral: units.some(unit => unit.ephemeral),
    identities: units.length > 0 ? units.map(unit => unit.identity) : [`${role}:${hash(JSON.stringify(message))}`],
    answers: units.flatMap(unit => unit.description.answers ?? []),
    classes: units.map(unit => unit.description.class),
  };
}

/** The discard lines of these texts, in order. */
export function directivesOf(texts: readonly string[]): readonly Directive[] {
  return discardsAmong(tagsOf(texts));
}

function readUnit(description: UnitDescription, role: string, hash: Sha256): ReadUnit {
  const tags = tagsOf(description.texts);
  return {
    description,
    identity: identityOf(description, role, hash),
    ephemeral: tags.some(({ tag }) => tag.kind === 'ephemeral'),
    directives: discardsAmong(tags),
  };
}

function discardsAmong(tags: readonly PlacedTag[]): readonly Directive[] {
  return tags.filter(({ tag }) => tag.kind === 'discard').map(({ tag, line }) => ({ blockId: tag.id, line }));
}

/**
 * DESIGN, flow 2: the host's own id, else role and text: then the same text in another JSON shape is the same unit. Where
 * there is no text, as in an answer that only calls tools, the content stands for it.
 */
function identityOf({ id, texts, content }: UnitDescription, role: string, hash: Sha256): string {
  if (id !== undefined) {
    return `id:${id.length > LONGEST_ID || id.includes(NUMBER_MARK) ? hash(id) : id}`;
  }
  const text = joined(texts);
  return `${role}:${hash(text === '' ? JSON.stringify(content) : text)}`;
}

/** Each text starts on a line of its own, as it does for the search for tags. */
function joined(texts: readonly string[]): string {
  const filled = texts.filter(text => text !== '');
  return filled
    .map((text, place) => (place + 1 < filled.length && !endsWithLineEnd(text) ? `${text}\n` : text))
    .join('');
}

interface PlacedTag {
  readonly tag: Declaration;
  readonly line: number;
}

function tagsOf(texts: readonly string[]): readonly PlacedTag[] {
  const tags: PlacedTag[] = [];
  let before = 0;
  for (const [place, text] of texts.entries()) {
    const declarations = text.includes('<!--') ? scanDeclarations(text) : [];
    const lines = new LineCounter(text);
    for (const tag of declarations) {
      tags.push({ tag, line: before + lines.lineAt(tag.range.start) });
    }
    if (place + 1 < texts.length && text !== '') {
      before += lines.lineAt(text.length) - (endsWithLineEnd(text) ? 1 : 0);
    }
  }
  return tags;
}

function endsWithLineEnd(text: string): boolean {
  return isLineEnd(text.charCodeAt(text.length - 1));
}
