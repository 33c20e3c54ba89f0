import type { Sha256 } from '../request/hashing.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { BlockTexts } from './blockTexts.ts';
import { type Asker, type DirectiveOutcome, Directives, type DiscardOutcome, type Trigger } from './directives.ts';
import { Ephemerals } from './ephemerals.ts';
import { FailedAnswers } from './failedAnswers.ts';
import type { LifecycleLog } from './lifecycleLog.ts';
import { type LifecycleSource, LoadedSources } from './loadedSources.ts';
import type { MessageFormat } from './messageFormat.ts';
import type { Policy } from './policy.ts';
import { type Slot, TranscriptReader } from './transcriptReader.ts';
import { directivesOf, type ReadWork } from './unit.ts';
import type { ViewEntry } from './view.ts';

export interface LifecycleSessionOptions {
  readonly policy: Policy;
  readonly format: MessageFormat;
  readonly sha256: Sha256;
  readonly log: LifecycleLog;
  /** Counts what views cost. */
  readonly work?: ReadWork;
}

/**
 * Seed 1's session: what the adapter loads and hands over, what the policy lets it do, and what each request shows. What it
 * does is in the log; what it knows beside the log's state it learns again from the events, by `remember`.
 */
export class LifecycleSession {
  readonly #log: LifecycleLog;
  readonly #texts = new BlockTexts();
  readonly #directives: Directives;
  readonly #sources: LoadedSources;
  readonly #reader: TranscriptReader;
  readonly #ephemerals: Ephemerals;
  readonly #answers = new FailedAnswers();
  /** Of the last view. */
  #entries: readonly ViewEntry[] = [];
  /** Places of messages in it that may be consumed. */
  #marked: number[] = [];

  constructor({ policy, format, sha256, log, work }: LifecycleSessionOptions) {
    this.#log = log;
    this.#directives = new Directives(policy, log);
    this.#sources = new LoadedSources(policy, sha256, log, this.#texts, this.#directives);
    this.#reader = new TranscriptReader(format, sha256, work);
    this.#ephemerals = new Ephemerals(policy, format, log);
  }

  /** After a resume or a fork, before anything else: all events of the log so far, which its state has seen too. */
  remember(events: readonly LogEvent[]): void {
    for (const event of events) {
      this.#texts.remember(event);
      this.#directives.remember(event);
    }
    this.#answers.remember(events);
  }

  /** V1, Named blocks. The text has no byte order mark: readers of files take it off. */
  loadSource(source: LifecycleSource, trigger: Trigger = 'load'): readonly DirectiveOutcome[] {
    return this.#sources.load(source, trigger);
  }

  /** V1, Discard: executes the discards of a text that a plug-in, a workflow or a person hands over, each time anew. */
  control(source: LifecycleSource, trigger: Trigger = 'control', connection?: string): readonly DirectiveOutcome[] {
    const { source: name, class: sourceClass, text } = source;
    return this.#directives.executeAll(directivesOf([text]), { source: name, class: sourceClass, trigger, connection });
  }

  /** One discard without a document. */
  discard(blockId: string, asker: Asker): DiscardOutcome {
    return this.#directives.execute(blockId, asker);
  }

  /**
   * Steps 2 to 4 of V1's order of work: the host's messages as this request shows them, none of them touched. Throws
   * `UnreadableMessageError` before anything happened when a message cannot be held by JSON.
   */
  view(messages: readonly unknown[]): readonly ViewEntry[] {
    const before = this.#reader.slots;
    const slots = this.#reader.read(messages);
    const entries = this.#entries.slice(0, this.#reader.kept);
    const known = entries.length;
    // Should the log not take an event, the next view begins anew.
    this.#entries = [];
    this.#answers.find(before, slots);
    this.#answers.asked(this.#log.requestSequence(), slots);
    for (const slot of slots.slice(known)) {
      this.#obey(slot);
    }
    const lastAnswer = slots.findLastIndex(slot => this.#answers.consumes(slot));
    // Of what stands where it stood, only what may be consumed can look different.
    this.#marked = this.#marked.filter(host => host < known);
    for (const host of this.#marked) {
      entries[host] = this.#entryOf(slots[host] as Slot, host, host < lastAnswer);
    }
    for (let host = known; host < slots.length; host++) {
      const slot = slots[host] as Slot;
      entries[host] = this.#entryOf(slot, host, host < lastAnswer);
      if (slot.read.ephemeral) {
        this.#marked.push(host);
      }
    }
    this.#entries = entries;
    return entries;
  }

  /** The text of the blocks' message; absent with no active block. Throws `MissingBlockTextError`. */
  blocksText(): string | undefined {
    return this.#texts.message(this.#log.state().blocks);
  }

  /** What it would be without one of them; absent with no other. Throws `MissingBlockTextError`. */
  blocksTextWithout(blockId: string): string | undefined {
    return this.#texts.messageWithout(this.#log.state().blocks, blockId);
  }

  /** How a request ended. The answer to one that did not complete consumes nothing, should the host keep it. */
  ended(requestSequence: number, outcome: 'completed' | 'failed' | 'aborted'): void {
    this.#answers.ended(requestSequence, outcome);
  }

  /** Of a block that is, or was, active, with its tags; absent where nobody has its text any more. */
  blockText(blockId: string): string | undefined {
    return this.#texts.textOf(blockId);
  }

  /** A host's own copy of loaded texts, without the block definitions in it: the blocks' message has those. */
  withoutDefinitions(text: string): string {
    return this.#texts.without(text);
  }

  #obey({ read, keys }: Slot): void {
    for (const [place, { directives, description }] of read.units.entries()) {
      if (directives.length > 0) {
        const { source, class: sourceClass } = description;
        this.#directives.executeAll(directives, { source, class: sourceClass, trigger: 'message' }, keys[place]);
      }
    }
  }

  #entryOf(slot: Slot, host: number, answered: boolean): ViewEntry {
    const { read, keys, entry } = slot;
    const message = this.#ephemerals.messageOf(slot, answered);
    const failed = this.#answers.isFailed(slot);
    if (
      entry?.host === host &&
      entry.message === message &&
      entry.keys === keys &&
      (entry.failed === true) === failed
    ) {
      return entry;
    }
    slot.entry = Object.freeze({
      message,
      host,
      changed: message !== read.message,
      keys,
      calls: read.description.calls,
      answers: read.answers,
      role: read.description.role,
      classes: read.classes,
      ...(read.description.item === true && { item: true }),
      ...(failed && { failed }),
    });
    return slot.entry;
  }
}
