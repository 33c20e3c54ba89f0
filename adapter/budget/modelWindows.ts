import type { KnownLimits } from '../../protocol/budget/limits.ts';
import { clipped } from '../../protocol/budget/summary/clipped.ts';

/** What is known of a family of models, in tokens. */
interface ModelWindow {
  /** Of the name without its server, in lower case. */
  readonly name: RegExp;
  readonly window: number;
  /** Where the provider lets in less than the window. */
  readonly inputLimit?: number;
}

/** As their providers document them; the first that fits counts. What a person sets, and what an agent says, counts before it. */
const MODEL_WINDOWS: readonly ModelWindow[] = [
  { name: /^gpt-5/, window: 400_000, inputLimit: 272_000 },
  { name: /^gpt-4\.1/, window: 1_047_576 },
  { name: /^(?:chat)?gpt-4o|^gpt-4-turbo/, window: 128_000 },
  { name: /^gpt-oss/, window: 131_072 },
  { name: /^o[134]\b|^codex-mini/, window: 200_000 },
  { name: /^claude/, window: 200_000 },
  { name: /^gemini-(?:[2-9]|1\.5)/, window: 1_048_576 },
];

/** A name stands in each request's numbers, and a program may give any. */
const LONGEST_NAME = 100;

/** Where nothing is known: the least that current models of agents take. */
const ASSUMED_WINDOW = 200_000;

/** Limits of a model by its name; a source that begins with `assumed` says that nobody knew. */
export function knownWindow(model: string): Pick<KnownLimits, 'window' | 'inputLimit'> {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const shown = clipped(model, LONGEST_NAME);
  const known = MODEL_WINDOWS.find(one => one.name.test(name));
  if (!known) {
    const source = `assumed, because nobody says what ${model === '' ? 'the model' : JSON.stringify(shown)} takes`;
    return { window: { tokens: ASSUMED_WINDOW, source } };
  }
  const source = `what is known of ${shown}`;
  return {
    window: { tokens: known.window, source },
    ...(known.inputLimit !== undefined && { inputLimit: { tokens: known.inputLimit, source } }),
  };
}
