import { frozenJson } from '../protocol/lifecycle/messageCopy.ts';
import type { Json, JsonObject } from '../protocol/request/json.ts';
import { sameJson } from '../protocol/request/sameJson.ts';
import type { RequestInput } from './sessionTypes.ts';

/** What a host hands over beside its messages, deep-frozen. */
export interface HeaderParts {
  readonly config: JsonObject;
  readonly system?: Json;
  readonly tools?: readonly Json[];
}

/**
 * Copies what a host hands over beside its messages; what is as it was in the request before is the same object. A config in
 * another order is as it was: the log keeps no record of that order, so the request is sealed with the first one.
 */
export class HeaderInput {
  readonly #kept = new Map<string, Json>();

  /** Throws `UnreadableMessageError` for what JSON cannot hold. */
  take({ config, system, tools }: RequestInput): HeaderParts {
    return {
      config: this.#part('config', config),
      ...(system !== undefined && { system: this.#part('system', system) }),
      ...(tools !== undefined && { tools: this.#part('tools', tools) }),
    };
  }

  #part<Part extends Json>(name: string, value: Part): Part {
    const copy = frozenJson(value, name);
    const kept = this.#kept.get(name);
    if (kept !== undefined && sameJson(copy, kept, name === 'config' ? 'unordered' : 'ordered')) {
      return kept as Part;
    }
    this.#kept.set(name, copy);
    return copy as Part;
  }
}
