import type { Sha256 } from '../request/hashing.ts';
import { utf8Length } from '../utf8Length.ts';
import type { BlockTexts } from './blockTexts.ts';
import { allows, type Verdict } from './defaultPolicy.ts';
import type { DirectiveOutcome, Directives, Trigger } from './directives.ts';
import { outlineDocument } from './document.ts';
import type { LifecycleLog } from './lifecycleLog.ts';
import { sourceKey } from './lifecycleState.ts';
import type { Policy, SourceClass } from './policy.ts';
import { LineCounter } from './text.ts';
import type { Directive } from './unit.ts';

/** A Markdown text that the adapter loads, or that somebody hands over to be obeyed. */
export interface LifecycleSource {
  /** A file's path, or another name that stays the same. */
  readonly source: string;
  readonly class: SourceClass;
  readonly text: string;
}

/** A valid block of a source. */
interface Definition {
  readonly id: string;
  /** From the opening line to the closing line inclusive. */
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

interface ReadSource {
  readonly definitions: readonly Definition[];
  readonly discards: readonly Directive[];
  readonly problems: readonly { readonly code: string; readonly line: number; readonly blockId?: string }[];
}

/** Loads sources: their definitions become active, and their discards are executed where a rule names the source. */
export class LoadedSources {
  readonly #policy: Policy;
  readonly #sha256: Sha256;
  readonly #log: LifecycleLog;
  readonly #texts: BlockTexts;
  readonly #directives: Directives;

  constructor(policy: Policy, sha256: Sha256, log: LifecycleLog, texts: BlockTexts, directives: Directives) {
    this.#policy = policy;
    this.#sha256 = sha256;
    this.#log = log;
    this.#texts = texts;
    this.#directives = directives;
  }

  /**
   * V1: a definition becomes active immediately; where its ID is taken, it is a conflict. The same text again is silent, but
   * for what an instance that died did not come to. Another text is a drift: what is active stays as it is, and only IDs
   * that are new become active.
   */
  load(source: LifecycleSource, trigger: Trigger): readonly DirectiveOutcome[] {
    const read = readSource(source.text);
    const verdict = allows(this.#policy, source.class, source.source, 'define');
    if (verdict.allowed) {
      this.#learn(read.definitions);
    }
    const isNew = this.#announce(source, read);
    const { source: name, class: sourceClass } = source;
    return [
      ...(isNew || verdict.allowed ? read.definitions : []).flatMap(definition =>
        this.#define(definition, source, trigger, verdict),
      ),
      ...this.#directives.executeAll(
        read.discards,
        { source: name, class: sourceClass, trigger: 'load' },
        sourceKey(sourceClass, name),
      ),
    ];
  }

  /** Says what was loaded, or how it drifted; whether there is anything new in it. */
  #announce({ source, class: sourceClass, text }: LifecycleSource, read: ReadSource): boolean {
    const known = this.#log.state().sources.get(sourceKey(sourceClass, source));
    const facts = { source, class: sourceClass, sha256: this.#sha256(text), bytes: utf8Length(text) };
    if (!known) {
      const blocks = read.definitions.map(({ id }) => id);
      this.#log.append({ type: 'source/loaded', data: { ...facts, blocks, problems: read.problems } });
      return true;
    }
    if ((known.drifted ?? known.loaded).sha256 === facts.sha256) {
      return false;
    }
    const drifted = known.loaded.sha256 !== facts.sha256;
    this.#log.append({ type: 'source/drifted', data: { ...facts, drifted } });
    return drifted;
  }

  #define(
    { id, text, line, endLine }: Definition,
    { source, class: sourceClass }: LifecycleSource,
    trigger: Trigger,
    { allowed, rule }: Verdict,
  ): readonly DirectiveOutcome[] {
    const requestSequence = this.#log.requestSequence();
    const audit = { blockId: id, source, line, trigger, class: sourceClass, rule, requestSequence };
    if (!allowed) {
      this.#log.append({ type: 'block/denied', data: audit });
      return [{ blockId: id, outcome: 'denied' }];
    }
    const taken = this.#log.state().blocks.get(id);
    if (!taken) {
      const data = { ...audit, endLine, bytes: utf8Length(text), sha256: this.#sha256(text), text };
      this.#log.append({ type: 'block/activated', data });
      this.#texts.activate(id, text);
      return [{ blockId: id, outcome: 'activated' }];
    }
    const isOf = (event: { readonly source: string; readonly class: SourceClass }): boolean =>
      event.source === source && event.class === sourceClass;
    if (isOf(taken.activated) || taken.conflicts.toArray().some(isOf)) {
      // It was this source's definition before, and a drift says where it may have changed.
      return [];
    }
    const { source: winner, line: winningLine } = taken.activated;
    const place = { source: winner, ...(winningLine !== undefined && { line: winningLine }) };
    this.#log.append({ type: 'block/conflict', data: { ...audit, winner: place } });
    return [{ blockId: id, outcome: 'conflict' }];
  }

  /** Texts are no part of the state: a resumed session learns them again from its sources. */
  #learn(definitions: readonly Definition[]): void {
    const { blocks } = this.#log.state();
    for (const { id, text } of definitions) {
      this.#texts.know(id, text);
      const block = blocks.get(id);
      if (block && !this.#texts.has(id) && block.activated.sha256 === this.#sha256(text)) {
        this.#texts.activate(id, text);
      }
    }
  }
}

function readSource(text: string): ReadSource {
  const { blocks, declarations, problems } = outlineDocument(text);
  const valid = blocks.flatMap(({ id, opening, closing, valid }) =>
    valid && closing ? [{ id, opening, closing }] : [],
  );
  const discards = declarations.filter(({ kind }) => kind === 'discard');
  const lineOf = linesOf(text, [
    ...valid.flatMap(({ opening, closing }) => [opening.range.start, closing.range.start]),
    ...discards.map(({ range }) => range.start),
    ...problems.map(({ range }) => range.start),
  ]);
  return {
    definitions: valid.map(({ id, opening, closing }) => ({
      id,
      text: text.slice(opening.range.start, closing.next),
      line: lineOf(opening.range.start),
      endLine: lineOf(closing.range.start),
    })),
    discards: discards.map(({ id, range }) => ({ blockId: id, line: lineOf(range.start) })),
    problems: problems.map(({ code, range, blockId }) => ({
      code,
      line: lineOf(range.start),
      ...(blockId !== undefined && { blockId }),
    })),
  };
}

/** Line numbers from 1 of these offsets. */
function linesOf(text: string, offsets: readonly number[]): (offset: number) => number {
  const counter = new LineCounter(text);
  const lines = new Map([...offsets].sort((a, b) => a - b).map(offset => [offset, counter.lineAt(offset)]));
  return offset => lines.get(offset) ?? 1;
}
