import type { Block } from '../../../protocol/lifecycle/structure.ts';
import type { OpenDocument } from '../../document.ts';
import { localize } from '../../localize.ts';

/**
 * The size of a closed block's content, which is what stands between its two tag lines: lines, characters (Unicode code
 * points) and bytes in UTF-8. The empty string for a block that is not closed.
 */
export function blockSize(document: OpenDocument, block: Block): string {
  if (!block.closing) {
    return '';
  }
  const { characters, bytes } = measure(document.text.getText(), block.opening.next, block.closing.range.start);
  const values = [lineCount(contentLines(document, block)), characterCount(characters), byteCount(bytes)];
  return localize({ template: 'Content: {0}, {1}, {2} in UTF-8.', values });
}

/** Lines between the tag lines of a block; 0 for one that is not closed. */
export function contentLines(document: OpenDocument, { opening, closing }: Block): number {
  return closing
    ? document.positionAt(closing.range.start).line - document.positionAt(opening.range.start).line - 1
    : 0;
}

export function lineCount(count: number): string {
  return count === 1
    ? localize({ template: '1 line', values: [] })
    : localize({ template: '{0} lines', values: [String(count)] });
}

/** The last entry of a list that was cut. */
export function placeCount(left: number): string {
  return left === 1
    ? localize({ template: 'and 1 more place', values: [] })
    : localize({ template: 'and {0} more places', values: [String(left)] });
}

function characterCount(count: number): string {
  return count === 1
    ? localize({ template: '1 character', values: [] })
    : localize({ template: '{0} characters', values: [String(count)] });
}

function byteCount(count: number): string {
  return count === 1
    ? localize({ template: '1 byte', values: [] })
    : localize({ template: '{0} bytes', values: [String(count)] });
}

/** Code points and UTF-8 bytes of a stretch; a lone surrogate counts as U+FFFD, which is what would be sent. */
function measure(text: string, start: number, end: number): { readonly characters: number; readonly bytes: number } {
  let characters = 0;
  let bytes = 0;
  for (let at = start; at < end; ) {
    const code = text.codePointAt(at) ?? 0;
    characters++;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  return { characters, bytes };
}
