/**
 * The peer of the first bench row: a line-by-line parser with one regular expression a tag, the obvious way to read
 * the grammar. It finds the same blocks as ours; it reports no near misses.
 */
const EPHEMERAL = /^<!--ephemeral-->$/;
const OPENING = /^<!--BLOCK_ID:([a-z0-9_-]+)-->$/;
const CLOSING = /^<!--\/BLOCK_ID:([a-z0-9_-]+)-->$/;
const DISCARD = /^<!--DISCARD_BLOCK:([a-z0-9_-]+)-->$/;

interface RegexDocument {
  readonly ephemeral: boolean;
  readonly blocks: readonly { id: string; content: string; startLine: number; endLine: number }[];
  readonly discards: readonly { blockId: string; line: number }[];
  readonly ordinaryMarkdown: string;
}

export function parseWithRegexes(text: string): RegexDocument {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+/g) ?? [];
  const closed: { id: string; startLine: number; endLine: number }[] = [];
  const discards: { blockId: string; line: number }[] = [];
  const openings = new Map<string, number>();
  let ephemeral = false;
  let open: { id: string; startLine: number; spoilt: boolean } | undefined;
  for (const [index, whole] of lines.entries()) {
    const line = whole.replace(/\r?\n$|\r$/, '');
    ephemeral ||= EPHEMERAL.test(line);
    const discard = DISCARD.exec(line)?.[1];
    if (discard !== undefined) {
      discards.push({ blockId: discard, line: index + 1 });
    }
    const opening = OPENING.exec(line)?.[1];
    const closing = CLOSING.exec(line)?.[1];
    if (opening !== undefined) {
      openings.set(opening, (openings.get(opening) ?? 0) + 1);
      if (open) {
        open.spoilt = true;
      } else {
        open = { id: opening, startLine: index + 1, spoilt: false };
      }
    } else if (closing !== undefined && open) {
      if (open.id !== closing) {
        open.spoilt = true;
      } else {
        if (!open.spoilt) {
          closed.push({ id: open.id, startLine: open.startLine, endLine: index + 1 });
        }
        open = undefined;
      }
    }
  }
  const valid = closed.filter(({ id }) => openings.get(id) === 1);
  let ordinaryMarkdown = '';
  let from = 0;
  for (const { startLine, endLine } of valid) {
    ordinaryMarkdown += lines.slice(from, startLine - 1).join('');
    from = endLine;
  }
  return {
    ephemeral,
    blocks: valid.map(({ id, startLine, endLine }) => ({
      id,
      content: lines.slice(startLine, endLine - 1).join(''),
      startLine,
      endLine,
    })),
    discards,
    ordinaryMarkdown: ordinaryMarkdown + (from === 0 ? text : lines.slice(from).join('')),
  };
}
