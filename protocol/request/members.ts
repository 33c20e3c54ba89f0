import type { Fault } from './corruptLogError.ts';
import type { JsonObject } from './json.ts';

/** A member that this version does not know may mean anything: it is refused, never passed over (DESIGN, flow 2). */
export function refuseUnknownMembers(part: JsonObject, known: readonly string[], name: string, fault: Fault): void {
  for (const member of Object.keys(part)) {
    if (!known.includes(member)) {
      throw fault(`its ${name} part has the unknown member ${JSON.stringify(member)}`);
    }
  }
}
