import type { Json, JsonObject } from '../request/json.ts';
import type { SourceClass } from './policy.ts';

/** The smallest thing with its own lifetime: a message, or one tool result of it (DESIGN, flow 2). */
export interface UnitDescription {
  /** The host's own id, for example of a tool call; absent where it has none that outlives compaction and fork. */
  readonly id?: string;
  readonly class: SourceClass;
  /** What a policy's pattern is matched with and audits show: `tool:bash`, `user`, `plugin:name` … */
  readonly source: string;
  /** Text parts in order: tags are looked for in each, and their joined text is hashed where there is no id. */
  readonly texts: readonly string[];
  /** V1: `original_bytes` is the UTF-8 length of it, or of its JSON text where it is no string. */
  readonly content: Json;
  /** For a tool result: the call that it answers. */
  readonly answers?: string;
}

export interface MessageDescription {
  /** `assistant` consumes what stands before it, unless it `failed`. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** In the order of the message; an empty list for a message in which nothing has a lifetime. */
  readonly units: readonly UnitDescription[];
  /** Ids of the tool calls that it makes. */
  readonly calls: readonly string[];
  /** The host marks the answer as errored or aborted: it consumes nothing. */
  readonly failed?: boolean;
  /** It is one of the items of an answer, which may have several in a row: a text, each call, what was thought before. */
  readonly item?: boolean;
}

/** How the messages of one agent are read and changed. Its functions never change a message, and never throw. */
export interface MessageFormat {
  /** For logs and lists: `seed-2`, `pi`, `ai-sdk` … */
  readonly name: string;
  /** A call may have more results than one. */
  readonly manyResults?: true;
  describe(message: JsonObject): MessageDescription;
  /** A copy in which units, by their place in the description, have this text for content, and nothing else differs. */
  withContents(message: JsonObject, contents: ReadonlyMap<number, string>): JsonObject;
  /** A message of role `user` with this text: the blocks' message, appended messages. */
  userMessage(text: string): JsonObject;
}
