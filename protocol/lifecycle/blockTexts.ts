import { isJsonObject } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import type { Declaration } from './declaration.ts';
import type { BlockState, LifecycleState } from './lifecycleState.ts';
import { scanDeclarations } from './scan.ts';

/**
 * A block is active, but nobody has its text any more: the log holds no content, and the source was changed since. V1 wants
 * an active block in every request, so there is no request without it.
 */
export class MissingBlockTextError extends Error {
  override readonly name = 'MissingBlockTextError';
  readonly blockId: string;

  constructor({ id, activated }: BlockState) {
    super(
      `The request was not built: block '${id}' is active, but this log keeps no content and ${activated.source} no longer ` +
        'holds the text that was activated. Bring that text back, discard the block, or start a new session.',
    );
    this.blockId = id;
  }
}

/**
 * Texts of definitions, each from its opening line to its closing line inclusive. Beside the log's state, because a state
 * holds no content.
 */
export class BlockTexts {
  /** Of blocks that are, or were, active. */
  readonly #active = new Map<string, string>();
  /** Of every definition in a loaded source that may define, by ID, with `\n` for every line end and none at the end. */
  readonly #known = new Map<string, Set<string>>();
  #blocks: LifecycleState['blocks'] | undefined;
  #message: string | undefined;

  /** Takes over the text that an earlier instance activated; nothing where the log keeps no content. */
  remember({ type, data }: LogEvent): void {
    const { blockId, text } = isJsonObject(data) ? data : {};
    if (type === 'block/activated' && typeof blockId === 'string' && typeof text === 'string') {
      this.activate(blockId, text);
      this.know(blockId, text);
    }
  }

  activate(id: string, text: string): void {
    this.#active.set(id, text);
  }

  has(id: string): boolean {
    return this.#active.has(id);
  }

  /** Of a block that is, or was, active; absent where nobody has its text any more. */
  textOf(id: string): string | undefined {
    return this.#active.get(id);
  }

  know(id: string, text: string): void {
    const texts = this.#known.get(id) ?? new Set();
    texts.add(comparable(text));
    this.#known.set(id, texts);
  }

  /** DESIGN, flow 2: the text of the blocks' message; absent with no active block. Throws `MissingBlockTextError`. */
  message(blocks: LifecycleState['blocks']): string | undefined {
    if (this.#blocks !== blocks) {
      this.#message = this.#join([...blocks.values()]);
      this.#blocks = blocks;
    }
    return this.#message;
  }

  /** What `message` would give if this block were discarded. */
  messageWithout(blocks: LifecycleState['blocks'], id: string): string | undefined {
    return this.#join([...blocks.values()].filter(block => block.id !== id));
  }

  #join(blocks: readonly BlockState[]): string | undefined {
    const texts = blocks
      .filter(({ status }) => status === 'active')
      .map(block => {
        const text = this.#active.get(block.id);
        if (text === undefined) {
          throw new MissingBlockTextError(block);
        }
        return text.endsWith('\n') || text.endsWith('\r') ? text : `${text}\n`;
      });
    return texts.length > 0 ? texts.join('') : undefined;
  }

  /** The text without those of its blocks that are known definitions; everything else is kept to the character. */
  without(text: string): string {
    const pieces: string[] = [];
    let from = 0;
    let opening: Declaration | undefined;
    for (const declaration of scanDeclarations(text)) {
      if (declaration.kind === 'opening') {
        opening = declaration;
      } else if (declaration.kind === 'closing' && opening) {
        const definition = text.slice(opening.range.start, declaration.next);
        if (declaration.id === opening.id && this.#known.get(opening.id)?.has(comparable(definition))) {
          pieces.push(text.slice(from, opening.range.start));
          from = declaration.next;
        }
        opening = undefined;
      }
    }
    return from === 0 ? text : pieces.join('') + text.slice(from);
  }
}

/** Hosts change line ends and drop the last one. */
function comparable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
}
