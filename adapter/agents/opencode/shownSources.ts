import type { Session, Source } from '../../sessionTypes.ts';
import { sourceText } from '../../sourceText.ts';
import { BlockTexts } from '../blockTexts.ts';
import { sourceSentences } from '../sessionSummary.ts';
import { sentenceOf } from '../tell.ts';
import { type InstructionPlaces, instructionFiles } from './instructionFiles.ts';

/** opencode shows a discarded block in a form in which it cannot be taken out. */
class ShownBlockError extends Error {
  override readonly name = 'ShownBlockError';
}

/**
 * The files that opencode loads as instructions. Their class follows from that, and their text from the disk, never from what
 * the system prompt says of itself.
 */
export class ShownSources {
  readonly #session: Session;
  readonly #places: () => InstructionPlaces;
  readonly #texts = new BlockTexts();
  #sources: readonly Source[] = [];

  constructor(session: Session, places: () => InstructionPlaces) {
    this.#session = session;
    this.#places = places;
  }

  /** Loads them as they are now, and gives sentences for a person; what is loaded and unchanged stays as it is. */
  load(): readonly string[] {
    const files = instructionFiles(this.#places());
    const sentences: string[] = [];
    this.#sources = [...files.filter(({ ofUser }) => ofUser), ...files.filter(({ ofUser }) => !ofUser)].flatMap(
      ({ path }) => {
        try {
          return [{ source: path, class: 'context-file', text: sourceText(path) } as const];
        } catch (error) {
          sentences.push(`${path} could not be read, so none of its blocks is known: ${sentenceOf(error)}`);
          return [];
        }
      },
    );
    for (const source of this.#sources) {
      const outcomes = this.#session.loadSource(source);
      this.#texts.remember(source);
      sentences.push(...sourceSentences(source, outcomes, this.#session.state));
    }
    return sentences;
  }

  /**
   * opencode's own copies of them without the definitions, which stand in the blocks' message (DESIGN, flow 2). Throws where a
   * discarded block would still be shown.
   */
  withoutDefinitions(system: string): string {
    const taken = this.#sources.reduce((text, source) => {
      const without = this.#session.withoutDefinitions(source.text);
      const head = `Instructions from: ${source.source}\n`;
      return without === source.text ? text : text.replaceAll(head + source.text, () => head + without);
    }, system);
    const shown = this.#texts.discarded(this.#session.state).find(({ text }) => taken.includes(text));
    if (shown) {
      throw new ShownBlockError(
        `The block ${shown.id} is discarded, and opencode shows it in its system prompt in a place that is not known.`,
      );
    }
    return taken;
  }
}
