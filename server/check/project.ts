import type { DeclarationKind } from '../../protocol/lifecycle/declaration.ts';
import type { FindingCode } from './finding.ts';

/** One exact tag line of a file. Such lines are ASCII and start at column 0, so no encoding matters. */
export interface IndexedDeclaration {
  readonly kind: DeclarationKind;
  readonly id: string;
  /** From 0. */
  readonly line: number;
  /** Length of the line in characters. */
  readonly length: number;
  /** Only for an opening: whether its block is valid in its own document. */
  readonly valid: boolean;
}

/** What the index keeps of a context source, open or closed; never its text. */
export interface SourceSummary {
  readonly uri: string;
  /** Relative to its workspace folder, with `/`; what the globs of `sources` are matched against. */
  readonly path: string;
  readonly declarations: readonly IndexedDeclaration[];
  /** Findings that the file earns by itself; 0 where nobody counted them. */
  readonly problemCount: number;
  /** The codes that its first line turns off. */
  readonly suppressed: readonly FindingCode[];
}

/** A declaration together with the file it stands in. */
export interface PlacedDeclaration {
  readonly source: SourceSummary;
  readonly declaration: IndexedDeclaration;
}

/**
 * The context sources of one workspace folder (or of one run of the command line) in load order.
 * Where two sources define an ID, the first in load order wins (V1: Named blocks).
 */
export interface Project {
  /** In load order. */
  readonly sources: readonly SourceSummary[];
  /** Those of `sources` that are wanted; where these are few, without putting the rest in order. */
  inLoadOrder(wanted: (source: SourceSummary) => boolean): readonly SourceSummary[];
  /** Valid definitions of an ID in load order; empty when none. */
  definitionsOf(id: string): readonly PlacedDeclaration[];
  /** Every tag line with this ID, in load order. */
  placesOf(id: string): readonly PlacedDeclaration[];
  /** IDs that some source defines. */
  readonly definedIds: ReadonlySet<string>;
  /** Whether a file is a context source by the globs. */
  isSource(uri: string): boolean;
}
