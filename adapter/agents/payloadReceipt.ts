import type { Receipt } from '../sessionTypes.ts';
import { payloadTexts } from './payloadTexts.ts';

/** Texts that must be in the payload. */
export interface ExpectedPart {
  /** For a person: "the blocks' message", "the result of call_1 (bash)". */
  readonly name: string;
  readonly texts: readonly string[];
}

export interface ExpectedPayload {
  /** Those of the system prompt; absent where the host does not send it as it is. */
  readonly composed?: readonly ExpectedPart[];
  /** Those of the messages, in the order of the request. */
  readonly parts: readonly ExpectedPart[];
  /** Definitions of discarded blocks, as the sources that were loaded show them. */
  readonly discarded: readonly { readonly id: string; readonly text: string }[];
}

/** How many missing parts are named. */
const NAMED = 5;

/**
 * Compares what is about to leave with what was sealed, where the host turns messages into a payload of its own: each
 * part's text must stand in it, and no discarded block may stand in the system prompt, which the adapter composes. A
 * discarded block's text in ordinary messages is only quoted there (DESIGN, flow 2: receipt).
 */
export function payloadReceipt(payload: unknown, expected: ExpectedPayload): Receipt {
  const { composed, ordinary } = payloadTexts(payload);
  const find = finder(ordinary);
  const inComposed = (text: string): boolean => composed.some(given => comparable(given).includes(text));
  const all = [...(expected.composed ?? []), ...expected.parts];
  const missing = all.filter(part => {
    const finds = expected.composed?.includes(part) ? inComposed : find;
    return !part.texts.map(comparable).filter(isVisible).every(finds);
  });
  const stands = (texts: readonly string[]): readonly string[] =>
    expected.discarded.filter(({ text }) => texts.some(given => given.includes(comparable(text)))).map(({ id }) => id);
  const stillThere = stands(composed);
  const faults = [
    ...(missing.length > 0 ? [`not found in what was sent: ${namesOf(missing)}`] : []),
    ...(stillThere.length > 0 ? [`discarded, but still in the system prompt: ${stillThere.join(', ')}`] : []),
  ];
  const found = `${all.length - missing.length} of ${all.length} parts found in what was sent`;
  if (faults.length > 0) {
    return { result: 'mismatch', evidence: `${found}; ${faults.join('; ')}` };
  }
  const quoted = stands(ordinary);
  return quoted.length > 0
    ? { result: 'quoted', evidence: `${found}; discarded, but quoted in an ordinary message: ${quoted.join(', ')}` }
    : { result: 'matched', evidence: found };
}

/** Providers drop half characters, which are no valid text. */
function comparable(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}

/** Providers leave out what is empty. */
function isVisible(text: string): boolean {
  return text.trim() !== '';
}

/** Finds texts in their order, each behind the one before, so that one text cannot stand for two parts; else anywhere. */
function finder(given: readonly string[]): (text: string) => boolean {
  const texts = given.map(comparable);
  let at = 0;
  let offset = 0;
  return text => {
    for (let index = at; index < texts.length; index += 1) {
      const found = (texts[index] ?? '').indexOf(text, index === at ? offset : 0);
      if (found >= 0) {
        at = index;
        offset = found + text.length;
        return true;
      }
    }
    return texts.some(candidate => candidate.includes(text));
  };
}

function namesOf(parts: readonly ExpectedPart[]): string {
  const names = parts.slice(0, NAMED).map(part => part.name);
  const rest = parts.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}
