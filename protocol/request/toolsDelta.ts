import type { Fault } from './corruptLogError.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';
import { refuseUnknownMembers } from './members.ts';
import { sameJson } from './sameJson.ts';

/** A changed list of tools by name (request-log 5.2). It cannot say where a tool stands: see `recordHeader`. */
export type ToolsDelta = {
  readonly added: readonly Json[];
  readonly removed: readonly string[];
  readonly changed: readonly Json[];
};

/** The change between two lists that differ. */
export function diffTools(prev: readonly Json[], next: readonly Json[]): ToolsDelta {
  // Of tools that share a key the last one stays in the map, and is the one compared.
  const before = new Map(prev.map(tool => [toolKey(tool), tool]));
  const after = new Set(next.map(toolKey));
  return {
    added: next.filter(tool => !before.has(toolKey(tool))),
    removed: prev.map(toolKey).filter(key => !after.has(key)),
    changed: next.filter(tool => {
      const old = before.get(toolKey(tool));
      return old !== undefined && !sameJson(old, tool, 'ordered');
    }),
  };
}

/** The tools after a change as it stands in a log. Throws what `fault` makes when the change does not fit `prev`. */
export function applyToolsDelta(prev: readonly Json[], delta: Json, fault: Fault): readonly Json[] {
  const { added, removed, changed } = toolsDelta(delta, fault);
  const known = new Set(prev.map(toolKey));
  const gone = new Set(removed);
  const replacements = new Map(changed.map(tool => [toolKey(tool), tool]));
  for (const key of [...gone, ...replacements.keys()]) {
    if (!known.has(key)) {
      throw fault(`its tools part names ${JSON.stringify(key)}, but there is no such tool`);
    }
  }
  for (const key of replacements.keys()) {
    if (gone.has(key)) {
      throw fault(`its tools part both removes and changes ${JSON.stringify(key)}`);
    }
  }
  for (const key of added.map(toolKey)) {
    if (known.has(key)) {
      throw fault(`its tools part adds ${JSON.stringify(key)}, but there is such a tool`);
    }
  }
  const kept = prev.filter(tool => !gone.has(toolKey(tool)));
  return [...kept.map(tool => replacements.get(toolKey(tool)) ?? tool), ...added];
}

/** DESIGN, flow 2: `name`, else `function.name`, else `type`. Tools with none of these share the key `""`. */
function toolKey(tool: Json): string {
  if (!isJsonObject(tool)) {
    return '';
  }
  const { name, function: call, type } = tool;
  const keys = [name, isJsonObject(call) ? call['name'] : undefined, type];
  return keys.find(key => typeof key === 'string') ?? '';
}

function toolsDelta(delta: Json, fault: Fault): ToolsDelta {
  if (!isJsonObject(delta)) {
    throw fault('its tools part is no object');
  }
  refuseUnknownMembers(delta, ['added', 'removed', 'changed'], 'tools', fault);
  const removed = listOf(delta, 'removed', fault);
  if (!removed.every(key => typeof key === 'string')) {
    throw fault('removed of its tools part must be a list of names');
  }
  return { added: listOf(delta, 'added', fault), removed, changed: listOf(delta, 'changed', fault) };
}

function listOf(delta: JsonObject, name: string, fault: Fault): readonly Json[] {
  const list = delta[name];
  if (!isJsonArray(list)) {
    throw fault(`${name} of its tools part must be a list`);
  }
  return list;
}
