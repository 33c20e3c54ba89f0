import { openSession } from '../../openSession.ts';
import type { OpencodeHooks, OpencodeInput } from './opencodeApi.ts';
import { opencodePlugin } from './opencodePlugin.ts';

/** What `"plugin": ["file:///path/to/dist/opencode.js"]` in opencode.json loads. */
export async function contextLifecycle(input: OpencodeInput): Promise<OpencodeHooks> {
  return opencodePlugin(input, openSession);
}
