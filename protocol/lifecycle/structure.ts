import type { Declaration } from './declaration.ts';
import type { Problem, ProblemCode, RelatedPlace } from './problem.ts';

/** An opening that stands outside every other block, with the closing that ends it. */
export interface Block {
  readonly id: string;
  readonly opening: Declaration;
  /** Absent when the document ends first. */
  readonly closing: Declaration | undefined;
  /** V1: an invalid block definition is ordinary Markdown and activates nothing. */
  readonly valid: boolean;
}

/** Blocks in document order; problems in the order of the protocol's reference, an unclosed block last. */
export interface Structure {
  readonly blocks: readonly Block[];
  readonly problems: readonly Problem[];
}

const MESSAGES = {
  'duplicate-block-id':
    "Block ID '{0}' is defined more than once in this document, so none of these definitions becomes active.",
  'nested-block': "Block '{0}' opens inside block '{1}'. Blocks cannot nest, so neither becomes active.",
  'mismatched-block-end':
    "This line closes '{0}', but the open block is '{1}', which therefore does not become active.",
  'unexpected-block-end': "This line closes '{0}', but no block is open here.",
  'unclosed-block': "Block '{0}' is never closed, so it does not become active.",
} as const;

const RELATED = {
  first: "'{0}' is first defined here.",
  open: "Block '{0}' is open from here.",
  nearest: "The nearest opening of '{0}' is here.",
} as const;

/** A block while the walk is inside it. */
interface OpenBlock {
  readonly opening: Declaration;
  spoilt: boolean;
}

/** Most documents declare nothing, and that must cost nothing. */
const NOTHING: Structure = { blocks: [], problems: [] };

/** Applies V1's block rules (DESIGN flow 1, Structure) to the declarations of one document. */
export function structureOf(declarations: readonly Declaration[]): Structure {
  if (declarations.length === 0) {
    return NOTHING;
  }
  const walk = new StructureWalk();
  for (const declaration of declarations) {
    walk.step(declaration);
  }
  return walk.finish();
}

class StructureWalk {
  readonly #problems: Problem[] = [];
  readonly #ended: { opening: Declaration; closing: Declaration | undefined; sound: boolean }[] = [];
  /** First un-nested opening by ID. */
  readonly #firstOpening = new Map<string, Declaration>();
  /** How often an ID was opened, nested openings included. */
  readonly #openings = new Map<string, number>();
  /** The last opening by ID, for "nearest opening". */
  readonly #lastOpening = new Map<string, Declaration>();
  #open: OpenBlock | undefined;

  step(declaration: Declaration): void {
    if (declaration.kind === 'opening') {
      this.#opening(declaration);
    } else if (declaration.kind === 'closing') {
      this.#closing(declaration);
    }
  }

  finish(): Structure {
    if (this.#open) {
      const { opening } = this.#open;
      this.#report('unclosed-block', opening, [opening.id], []);
      this.#ended.push({ opening, closing: undefined, sound: false });
    }
    const blocks = this.#ended.map(({ opening, closing, sound }) => ({
      id: opening.id,
      opening,
      closing,
      valid: sound && this.#openings.get(opening.id) === 1,
    }));
    return { blocks, problems: this.#problems };
  }

  #opening(declaration: Declaration): void {
    const { id } = declaration;
    this.#openings.set(id, (this.#openings.get(id) ?? 0) + 1);
    this.#lastOpening.set(id, declaration);
    if (this.#open) {
      const outer = this.#open.opening;
      this.#open.spoilt = true;
      this.#report('nested-block', declaration, [id, outer.id], [place(outer, RELATED.open)]);
      return;
    }
    const first = this.#firstOpening.get(id);
    if (first) {
      this.#report('duplicate-block-id', declaration, [id], [place(first, RELATED.first)]);
    } else {
      this.#firstOpening.set(id, declaration);
    }
    this.#open = { opening: declaration, spoilt: false };
  }

  #closing(declaration: Declaration): void {
    const open = this.#open;
    if (!open) {
      const nearest = this.#lastOpening.get(declaration.id);
      this.#report(
        'unexpected-block-end',
        declaration,
        [declaration.id],
        nearest ? [place(nearest, RELATED.nearest)] : [],
      );
      return;
    }
    if (open.opening.id !== declaration.id) {
      open.spoilt = true;
      const values = [declaration.id, open.opening.id];
      this.#report('mismatched-block-end', declaration, values, [place(open.opening, RELATED.open)]);
      return;
    }
    this.#ended.push({ opening: open.opening, closing: declaration, sound: !open.spoilt });
    this.#open = undefined;
  }

  #report(
    code: keyof typeof MESSAGES & ProblemCode,
    declaration: Declaration,
    values: readonly string[],
    related: readonly RelatedPlace[],
  ): void {
    const message = { template: MESSAGES[code], values };
    this.#problems.push({ code, range: declaration.range, message, related, blockId: declaration.id });
  }
}

function place(declaration: Declaration, template: string): RelatedPlace {
  return { range: declaration.range, message: { template, values: [declaration.id] } };
}
