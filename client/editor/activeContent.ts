import { scanDeclarations } from '../../protocol/lifecycle/scan.ts';
import { structureOf } from '../../protocol/lifecycle/structure.ts';
import type { Sha256 } from '../../protocol/request/hashing.ts';
import { lineEndVariants } from './documentTags.ts';

/**
 * The text of an active block, from its opening line to its closing line inclusive, as a sealed request holds it. Only the
 * text whose hash the activation logged is given: undefined where the request does not hold it.
 */
export function activeContent(
  requestText: string,
  block: { readonly id: string; readonly sha256: string },
  sha256: Sha256,
): string | undefined {
  let request: unknown;
  try {
    request = JSON.parse(requestText);
  } catch {
    return undefined;
  }
  for (const text of textsOf(request)) {
    const found = definitionIn(text, block, sha256);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** Every text of a JSON value that holds a tag, in order. Not recursive: a request may be as deep as it likes. */
function* textsOf(value: unknown): Generator<string> {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      if (next.includes('<!--')) {
        yield next;
      }
    } else if (typeof next === 'object' && next !== null) {
      for (const child of Object.values(next).reverse()) {
        waiting.push(child);
      }
    }
  }
}

function definitionIn(
  text: string,
  { id, sha256: hash }: { readonly id: string; readonly sha256: string },
  sha256: Sha256,
): string | undefined {
  const tags = scanDeclarations(text).filter(
    tag => tag.id === id && (tag.kind === 'opening' || tag.kind === 'closing'),
  );
  for (const [index, opening] of tags.entries()) {
    const closing = tags[index + 1];
    if (opening.kind !== 'opening' || closing?.kind !== 'closing') {
      continue;
    }
    const definition = text.slice(opening.range.start, closing.next);
    // A block without a last line end was given one.
    const activated = [definition, ...lineEndVariants(definition)].find(variant => sha256(variant) === hash);
    if (activated !== undefined) {
      return activated;
    }
  }
  return undefined;
}

/** A document's text with the active text where the block stands in it; the active text alone where it stands there no more. */
export function withActiveContent(text: string, blockId: string, active: string): string {
  const block = structureOf(scanDeclarations(text)).blocks.find(({ id }) => id === blockId);
  if (!block?.closing) {
    return active;
  }
  const rest = text.slice(block.closing.next);
  const end = rest === '' || /[\r\n]$/.test(active) ? '' : '\n';
  return text.slice(0, block.opening.range.start) + active + end + rest;
}
