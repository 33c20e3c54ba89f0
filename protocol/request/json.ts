/** A value that survives JSON unchanged; objects keep the order of their members. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: Json;
}

/** Whether a value has members or items, and so an identity. */
export function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Whether a value read from a log is a JSON object: no array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isContainer(value) && !Array.isArray(value);
}

/** `Array.isArray` for values read from a log: what the items are is still to be seen. */
export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
