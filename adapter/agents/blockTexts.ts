import { tagLine } from '../../protocol/lifecycle/declaration.ts';
import { parseDocument } from '../../protocol/lifecycle/document.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { Source } from '../sessionTypes.ts';

const LINE_ENDS = ['\r\n', '\n', '\r'];

/** Definitions as loaded sources show them, so that a receipt can look for those that are discarded. */
export class BlockTexts {
  readonly #texts = new Map<string, Set<string>>();
  readonly #seen = new Map<string, string>();

  /** Remembers the valid definitions of a source, whether or not they became active. */
  remember({ source, text }: Source): void {
    if (this.#seen.get(source) === text) {
      return;
    }
    this.#seen.set(source, text);
    for (const { id, content } of parseDocument(text).blocks) {
      const texts = this.#texts.get(id) ?? new Set();
      const end = LINE_ENDS.find(candidate => text.includes(tagLine('opening', id) + candidate + content)) ?? '\n';
      texts.add(tagLine('opening', id) + end + content);
      this.#texts.set(id, texts);
    }
  }

  /** Those of blocks that are discarded now. */
  discarded(state: SessionState): readonly { readonly id: string; readonly text: string }[] {
    return [...this.#texts].flatMap(([id, texts]) =>
      state.lifecycle.blocks.get(id)?.status === 'discarded' ? [...texts].map(text => ({ id, text })) : [],
    );
  }
}
