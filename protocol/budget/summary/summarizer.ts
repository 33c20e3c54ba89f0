import type { Summary } from '../budgetEvents.ts';

/** One unit of a message, as a summariser is shown it. */
export interface SummaryUnit {
  /** Its identity. */
  readonly unit: string;
  readonly kind: 'user' | 'assistant' | 'tool-result' | 'other';
  /** Its texts, joined with line ends: offsets of quotes count in it. */
  readonly text: string;
  /** A tool result that says of itself that it is an error. */
  readonly isError: boolean;
  /** Unix milliseconds; absent where nobody knows. */
  readonly time?: number;
}

/** A group of messages, as a summariser is shown it. */
export interface SummaryGroup {
  readonly units: readonly SummaryUnit[];
  /** Files that its calls and texts name, in their order, each once. */
  readonly paths: readonly string[];
  /** What the adapter says that it belongs to. */
  readonly topic?: string;
}

/** How much a summary may say, from all that is worth keeping to the constraints alone. */
export const DETAILS = ['full', 'short', 'least', 'constraints'] as const;

export type Detail = (typeof DETAILS)[number];

/** Makes summaries at once and from nothing but its input: the same groups give the same summary. */
export interface Summarizer {
  /** Its name and version, which every edit of it bears. */
  readonly name: string;
  /** One summary for groups that stand side by side, at least one. `known` constraints stand in other summaries already. */
  summarize(groups: readonly SummaryGroup[], detail: Detail, known: ReadonlySet<string>): Summary;
  /** Where the groups, which stand side by side, are best cut into several summaries. */
  split(groups: readonly SummaryGroup[]): readonly (readonly SummaryGroup[])[];
}

/** What came of asking a model, before the request is built. */
export type ModelSummaries = { readonly by: string } & (
  | { readonly summaries: readonly ModelSummary[] }
  /** Why there are none, as a part of a sentence. */
  | { readonly failed: string }
);

export type ModelSummary = {
  /** Units of the groups that it stands for: whole groups, side by side, as `compressionRequest` gave them. */
  readonly units: readonly string[];
} & (
  | {
      /** What the model gave: anything. */
      readonly value: unknown;
    }
  /** Why there is none for these groups, as a part of a sentence. */
  | { readonly failed: string }
);
