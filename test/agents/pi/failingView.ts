import type { PiApi } from '../../../adapter/agents/pi/piApi.ts';
import { piExtension } from '../../../adapter/agents/pi/piExtension.ts';
import { openSession } from '../../../adapter/openSession.ts';

/** pi's adapter over a session that can build no view. */
// oxlint-disable-next-line import/no-default-export -- pi calls it
export default function failingView(pi: PiApi): void {
  piExtension(pi, async options => {
    const session = await openSession(options);
    session.buildRequest = () => Promise.reject(new Error('The test says so.'));
    return session;
  });
}
