import { Containers } from './containers.ts';
import { findFrontMatter } from './frontMatter.ts';
import { LineCursor } from './lineCursor.ts';
import { afterLineEnd, isLineEnd, type TextRange, type Work } from './text.ts';

/**
 * What a reader of Markdown takes for something other than a tag line. V1 knows none of them: an exact line inside is
 * live (DESIGN flow 1). Raw HTML means the elements whose content is shown or run as it stands (`<pre>`, `<script>`,
 * `<style>`, `<textarea>`; CommonMark: HTML blocks, kind 1) until an end tag of one of them. `<div>`, `<details>` and
 * the like do not count: people wrap live Markdown in them, and a tag there is as invisible as anywhere else.
 */
export type EnclosureKind = 'code-fence' | 'front-matter' | 'html-comment' | 'raw-html';

export interface Enclosure {
  readonly kind: EnclosureKind;
  /** What opens it: the fence's characters, `---`, `<!--`, or the start of the tag. */
  readonly range: TextRange;
}

interface Fence {
  readonly code: number;
  readonly length: number;
}

const RAW_ELEMENTS = ['pre', 'script', 'style', 'textarea'] as const;

/**
 * Walks a text's lines once, in order, and tells what encloses those it is asked for. Counts lines on its way, so that
 * nobody needs to read the text again for that.
 */
export class EnclosureWalk {
  readonly #text: string;
  readonly #work: Work | undefined;
  readonly #lines: LineCursor;
  readonly #containers: Containers;
  #lineStart = 0;
  #line = 1;
  /** Whether `#containers` has entered the line at `#lineStart`. */
  #entered = false;
  #open: Enclosure | undefined;
  /** How many containers `#open` stands in; it ends with them. */
  #depth = 0;
  #fence: Fence | undefined;
  #frontMatterEnd = 0;

  constructor(text: string, work?: Work) {
    this.#text = text;
    this.#work = work;
    this.#lines = new LineCursor(text, work);
    this.#containers = new Containers(text, work);
    const frontMatter = findFrontMatter(text);
    this.#visit(frontMatter.visited);
    if (frontMatter.range) {
      this.#open = { kind: 'front-matter', range: frontMatter.range };
      this.#frontMatterEnd = frontMatter.end;
    } else if (frontMatter.visited > 0) {
      // Every character was looked at once in vain, so the walk may do so only once more.
      this.#lines.careful = true;
    }
  }

  /** The line (from 1) that the last question was about. */
  get line(): number {
    return this.#line;
  }

  /** What encloses the line that starts at `lineStart`, or undefined. Line starts must ascend. */
  enclosureOf(lineStart: number): Enclosure | undefined {
    while (this.#lineStart < lineStart) {
      if (this.#startsPlainly()) {
        this.#nextLine(afterLineEnd(this.#text, this.#lines.lineEnd(this.#lineStart)));
      } else {
        this.#enter();
        this.#finish();
      }
    }
    this.#enter();
    return this.#open;
  }

  /**
   * Goes on behind the line last asked about without reading the rest of it: it is a tag line, or meant as one. Such a
   * line opens at most a list item, which is then not seen. Only for a line that nothing encloses, or a fence or front matter, which such a line cannot close.
   */
  skipLine(next: number): void {
    this.#nextLine(next);
  }

  /** The quick way for most lines: nothing is open, and the first character neither opens anything nor is a blank. */
  #startsPlainly(): boolean {
    const code = this.#text.charCodeAt(this.#lineStart);
    return (
      code > 0x3e && code !== 0x60 && code !== 0x7e && !this.#open && !this.#entered && this.#containers.depth === 0
    );
  }

  #nextLine(next: number): void {
    this.#lineStart = next;
    this.#line++;
    this.#entered = false;
  }

  #enter(): void {
    if (this.#entered) {
      return;
    }
    this.#entered = true;
    if (this.#lineStart < this.#frontMatterEnd) {
      return;
    }
    if (this.#open?.kind === 'front-matter') {
      this.#close();
    }
    if (this.#open === undefined || this.#fence || this.#depth > 0) {
      this.#containers.enterLine(this.#lineStart);
      if (this.#containers.depth < this.#depth) {
        this.#close();
      }
    }
  }

  #finish(): void {
    const at = this.#containers.at;
    let end: number;
    if (this.#fence) {
      end = this.#endOfFencedLine(this.#fence, at);
    } else if (this.#open?.kind === 'html-comment') {
      end = this.#endOfCommentLine(this.#lineStart, 0);
    } else if (this.#open?.kind === 'raw-html') {
      end = this.#endOfRawLine(this.#lineStart);
    } else if (this.#open) {
      end = this.#lines.lineEnd(this.#lineStart);
    } else {
      end = this.#endOfOrdinaryLine();
    }
    this.#nextLine(afterLineEnd(this.#text, end));
  }

  #endOfOrdinaryLine(): number {
    const containers = this.#containers;
    containers.openNew();
    const code = this.#text.charCodeAt(containers.at);
    if (containers.indent < 4) {
      if (code === 0x60 || code === 0x7e) {
        return this.#endOfFenceOpening(code, containers.at);
      }
      if (code === 0x3c) {
        return this.#endOfHtmlLine(containers.at);
      }
    }
    return this.#lines.lineEnd(containers.at);
  }

  /** CommonMark: Fenced code blocks: at least three; the info string of a backtick fence holds no backtick. */
  #endOfFenceOpening(code: number, start: number): number {
    const text = this.#text;
    const runEnd = this.#runEnd(code, start);
    if (runEnd - start < 3) {
      return this.#lines.lineEnd(runEnd);
    }
    let end = runEnd;
    let fence = true;
    for (; end < text.length && !isLineEnd(text.charCodeAt(end)); end++) {
      fence &&= code !== 0x60 || text.charCodeAt(end) !== 0x60;
    }
    this.#visit(end - runEnd);
    if (fence) {
      this.#fence = { code, length: runEnd - start };
      this.#openAt('code-fence', start, runEnd);
    }
    return end;
  }

  #endOfFencedLine(fence: Fence, at: number): number {
    if (this.#containers.indent >= 4 || this.#text.charCodeAt(at) !== fence.code) {
      return this.#lines.lineEnd(at);
    }
    const runEnd = this.#runEnd(fence.code, at);
    let end = runEnd;
    for (let code = this.#text.charCodeAt(end); code === 0x20 || code === 0x09; code = this.#text.charCodeAt(end)) {
      end++;
    }
    this.#visit(end - runEnd);
    if (runEnd - at >= fence.length && (end === this.#text.length || isLineEnd(this.#text.charCodeAt(end)))) {
      this.#close();
      return end;
    }
    return this.#lines.lineEnd(end);
  }

  #openAt(kind: EnclosureKind, start: number, end: number): void {
    this.#open = { kind, range: { start, end } };
    this.#depth = this.#containers.depth;
  }

  #close(): void {
    this.#fence = undefined;
    this.#open = undefined;
    this.#depth = 0;
  }

  #runEnd(code: number, start: number): number {
    let end = start + 1;
    while (this.#text.charCodeAt(end) === code) {
      end++;
    }
    this.#visit(end - start);
    return end;
  }

  #endOfHtmlLine(start: number): number {
    if (this.#text.startsWith('<!--', start)) {
      this.#visit(4);
      this.#openAt('html-comment', start, start + 4);
      // `<!-->` is a whole comment: the dashes of the opening count for the end too.
      return this.#endOfCommentLine(start + 4, 2);
    }
    const element = rawElementAt(this.#text, start + 1);
    if (element === undefined) {
      return this.#lines.lineEnd(start);
    }
    const end = start + 1 + element.length;
    this.#visit(1 + element.length);
    this.#openAt('raw-html', start, end);
    return this.#endOfRawLine(end);
  }

  /** CommonMark: a comment block ends with the line that holds `-->`. `dashes` stand right before `from`. */
  #endOfCommentLine(from: number, dashes: number): number {
    const text = this.#text;
    let at = from;
    let before = dashes;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isLineEnd(code)) {
        break;
      }
      if (code === 0x3e && before >= 2) {
        this.#close();
      }
      before = code === 0x2d ? before + 1 : 0;
    }
    this.#visit(at - from);
    return at;
  }

  #endOfRawLine(from: number): number {
    const text = this.#text;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isLineEnd(code)) {
        break;
      }
      if (code === 0x3c && text.charCodeAt(at + 1) === 0x2f && rawElementAt(text, at + 2) !== undefined) {
        this.#close();
      }
    }
    this.#visit(at - from);
    return at;
  }

  #visit(count: number): void {
    if (this.#work) {
      this.#work.visited += count;
    }
  }
}

/** The element of `RAW_ELEMENTS` whose whole name stands at `start`, in any letter case. */
function rawElementAt(text: string, start: number): string | undefined {
  return RAW_ELEMENTS.find(name => {
    for (let index = 0; index < name.length; index++) {
      if ((text.charCodeAt(start + index) | 0x20) !== name.charCodeAt(index)) {
        return false;
      }
    }
    const code = text.charCodeAt(start + name.length);
    return Number.isNaN(code) || code === 0x3e || code === 0x20 || code === 0x09 || isLineEnd(code);
  });
}
