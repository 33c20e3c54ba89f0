import type { JsonObject } from '../request/json.ts';
import type { MessageDescription } from './messageFormat.ts';
import type { SourceClass } from './policy.ts';

/** One message of the view, deep-frozen; the same object as in the request before where nothing about it changed. */
export interface ViewEntry {
  readonly message: JsonObject;
  /** Its place in the list that the host handed over; absent for appended messages. */
  readonly host?: number;
  /** Whether it differs from what the host handed over (a tombstone stands in it). */
  readonly changed: boolean;
  /** Identities of its units, or of the message itself where it has none; never empty. */
  readonly keys: readonly string[];
  /** Ids of tool calls that it makes, and of calls that it answers. */
  readonly calls: readonly string[];
  readonly answers: readonly string[];
  /** An answer that consumes nothing: its host marks it as failed, or the session saw it end so. `host/message` keeps it. */
  readonly failed?: boolean;
  /** As its format describes it; absent for appended messages. */
  readonly role?: MessageDescription['role'];
  /** One of the items of an answer: those in a row belong together. */
  readonly item?: boolean;
  /** Of its units; absent for appended messages. */
  readonly classes?: readonly SourceClass[];
}
