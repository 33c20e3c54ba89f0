import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Usage } from '../../protocol/log/sessionEvents.ts';
import type { JsonObject } from '../../protocol/request/json.ts';

/** A tool that the model wants to be run. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
}

/** What the model says in turn: a text, and tools by name with their arguments. An error instead of an answer is one too. */
export type ScriptLine =
  | { readonly text: string; readonly calls?: readonly (readonly [name: string, args: JsonObject])[] }
  | { readonly error: string };

/** The model could not answer; what was sent was not answered. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/**
 * Stands for a model and the network before it: it is handed a request's bytes and answers from a script, whatever they say. It
 * keeps what it received, so that anybody can compare.
 */
export class ScriptedModel {
  readonly #script: Iterator<ScriptLine>;
  readonly #record: string | undefined;
  #received = '';
  #requests = 0;
  #calls = 0;

  /** Each body goes into a file `<n>.json` of `record`, which is made. */
  constructor(script: Iterator<ScriptLine>, record?: string) {
    this.#script = script;
    this.#record = record;
    if (record !== undefined) {
      mkdirSync(record, { recursive: true });
    }
  }

  /** The bytes that arrived last. */
  get received(): string {
    return this.#received;
  }

  /** What leaves for the model arrives. */
  receive(body: string): void {
    this.#requests++;
    this.#received = body;
    if (this.#record !== undefined) {
      writeFileSync(join(this.#record, `${this.#requests}.json`), body);
    }
  }

  /** The answer to what was received last. Throws `ModelError`. */
  answer(): ModelAnswer {
    const next = this.#script.next();
    if (next.done) {
      throw new ModelError('The script has no more answers.');
    }
    const line = next.value;
    if ('error' in line) {
      throw new ModelError(line.error);
    }
    const calls = (line.calls ?? []).map(([name, args]) => {
      this.#calls++;
      return { id: `call_${this.#calls}`, name, arguments: args };
    });
    const output = tokens(`${line.text}${JSON.stringify(calls)}`);
    return { text: line.text, calls, usage: { input: tokens(this.#received), output } };
  }
}

/** As a provider might count: nobody here has its tokenizer. */
function tokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
