import type { PiApi } from '../../../adapter/agents/pi/piApi.ts';
import { piExtension } from '../../../adapter/agents/pi/piExtension.ts';
import { openSession } from '../../../adapter/openSession.ts';

/** pi's adapter over a session that stops the agent with each request. */
// oxlint-disable-next-line import/no-default-export -- pi calls it
export default function pausingView(pi: PiApi): void {
  piExtension(pi, async options => {
    const session = await openSession(options);
    const build = session.buildRequest.bind(session);
    session.buildRequest = async input => {
      const sealed = await build(input);
      options.pause?.('The test says so.');
      return sealed;
    };
    return session;
  });
}
