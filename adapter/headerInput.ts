import { frozenJson } from '../protocol/lifecycle/messageCopy.ts';
import type { Json, JsonObject } from '../protocol/request/json.ts';
import { sameJson } from '../protocol/request/sameJson.ts';
import type { RequestHeader } from './sessionTypes.ts';

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
  #kept: Partial<HeaderParts> = {};

  /** Throws `UnreadableMessageError` for what JSON cannot hold. Nothing is kept before `keep`. */
  take({ config, system, tools }: RequestHeader): HeaderParts {
    return {
      config: this.#part('config', config),
      ...(system !== undefined && { system: this.#part('system', system) }),
      ...(tools !== undefined && { tools: this.#part('tools', tools) }),
    };
  }

  /**
   * What the next request will have, as far as anybody knows: what the last one had (before the first one, no more than a
   * config), with the members of its config that were said already. Throws `UnreadableMessageError`.
   */
  expected(said: JsonObject = {}): HeaderParts {
    const config = { ...this.#kept.config, ...(frozenJson(said, 'config') as JsonObject) };
    return { ...this.#kept, config: this.#part('config', config) };
  }

  /** These are in the log now: the next ones are compared with them. */
  keep(parts: HeaderParts): void {
    this.#kept = { ...this.#kept, ...parts };
  }

  #part<Part extends Json>(name: keyof HeaderParts, value: Part): Part {
    const copy = frozenJson(value, name);
    const kept = this.#kept[name];
    const isKept = kept !== undefined && sameJson(copy, kept, name === 'config' ? 'unordered' : 'ordered');
    return (isKept ? kept : copy) as Part;
  }
}
