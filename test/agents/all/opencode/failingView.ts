import type { OpencodeHooks, OpencodeInput } from '../../../../adapter/agents/opencode/opencodeApi.ts';
import { opencodePlugin } from '../../../../adapter/agents/opencode/opencodePlugin.ts';
import { openSession } from '../../../../adapter/openSession.ts';

/** The adapter, whose view of a request cannot be built. */
export async function failingView(input: OpencodeInput): Promise<OpencodeHooks> {
  return opencodePlugin(input, async options => {
    const session = await openSession(options);
    session.beginRequest = () => Promise.reject(new Error('The test says so.'));
    return session;
  });
}
