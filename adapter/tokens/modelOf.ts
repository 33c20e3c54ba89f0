import type { JsonObject } from '../../protocol/request/json.ts';

/** The model's name as the agents' configs have it; "" where they have none. */
export function modelOf({ model, modelId }: JsonObject): string {
  const named = typeof model === 'object' && model !== null && 'id' in model ? model['id'] : (model ?? modelId);
  return typeof named === 'string' ? named : '';
}
