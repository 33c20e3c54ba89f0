import type { SourceSummary } from './check/project.ts';
import { summarize } from './check/summarize.ts';
import type { OpenDocument } from './document.ts';

/** What the index knows of a file that is open: it follows the text. */
export class OpenSource {
  readonly #path: string;
  readonly #document: OpenDocument;
  #layout: object | undefined;
  #summary: SourceSummary | undefined;

  constructor(path: string, document: OpenDocument) {
    this.#path = path;
    this.#document = document;
  }

  /** Of the text as it is now; the same object as long as no tag line has changed or moved. */
  get summary(): SourceSummary {
    if (this.#summary === undefined || this.#layout !== this.#document.layout) {
      const { uri, outline, text, layout } = this.#document;
      const summary = summarize(uri, this.#path, outline, 0, offset => text.positionAt(offset).line);
      this.#summary = this.#summary && sameSummary(this.#summary, summary) ? this.#summary : summary;
      this.#layout = layout;
    }
    return this.#summary;
  }
}

/** Whether two summaries of one file say the same: the same tag lines at the same places, and as many problems. */
export function sameSummary(a: SourceSummary, b: SourceSummary): boolean {
  return a.problemCount === b.problemCount && a.suppressed.join() === b.suppressed.join() && sameDeclarations(a, b);
}

function sameDeclarations({ declarations: a }: SourceSummary, { declarations: b }: SourceSummary): boolean {
  return (
    a.length === b.length &&
    a.every((one, index) => {
      const other = b[index];
      return one.kind === other?.kind && one.id === other.id && one.line === other.line && one.valid === other.valid;
    })
  );
}

/** Whether the same files have the very same summaries. */
export function sameSummaries(a: ReadonlyMap<string, SourceSummary>, b: ReadonlyMap<string, SourceSummary>): boolean {
  return a.size === b.size && [...a].every(([path, summary]) => b.get(path) === summary);
}
