import { openSession } from '../../openSession.ts';
import type { PiApi } from './piApi.ts';
import { piExtension } from './piExtension.ts';

/** What `pi -e dist/pi.js` loads. */
// oxlint-disable-next-line import/no-default-export -- pi calls it
export default function contextLifecycle(pi: PiApi): void {
  piExtension(pi, openSession);
}
