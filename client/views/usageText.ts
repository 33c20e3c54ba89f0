import { grouped } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { Usage } from '../../protocol/log/sessionEvents.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { sessionName } from './drawing.ts';
import { sizesText } from './requestWords.ts';
import { shown, type Wording } from './wording.ts';

/** What a session's requests took, as text for the clipboard: what the provider reported, and the parts of the last one. */
export function usageText(session: PanelSession, wording: Wording): string {
  const { say } = wording;
  const { requests } = session.state;
  const sums = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } satisfies Required<Usage>;
  let reported = 0;
  for (const { ended } of requests) {
    const usage = ended?.usage;
    if (usage) {
      reported++;
      sums.input += usage.input ?? 0;
      sums.output += usage.output ?? 0;
      sums.cacheRead += usage.cacheRead ?? 0;
      sums.cacheWrite += usage.cacheWrite ?? 0;
    }
  }
  const sizes = requests.get(requests.length - 1)?.sealed.sizes;
  return [
    say(sentence('Session {0} of {1}', shown(session.header.id), sessionName(session))),
    say(sentence('Requests: {0}, of which the provider reported usage for {1}', grouped(requests.length), reported)),
    say(sentence('Input tokens: {0}', grouped(sums.input))),
    say(sentence('of these read from cache: {0}', grouped(sums.cacheRead))),
    say(sentence('of these written to cache: {0}', grouped(sums.cacheWrite))),
    say(sentence('Output tokens: {0}', grouped(sums.output))),
    ...(sizes ? [say(sentence('Last request, as counted here: {0}', sizesText(sizes, wording)))] : []),
    '',
  ].join('\n');
}
