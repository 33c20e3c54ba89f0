import { countText } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import { shown, tokensSpoken, type Wording } from '../views/wording.ts';
import type { PanelSession, PanelSessions } from './sessionModel.ts';

/** What the status bar says. */
export interface StatusText {
  readonly label: string;
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly spoken: string;
}

/** Of the current session, or of another one where that is not connected; absent while none is. */
export function statusText({ all, current }: PanelSessions, wording: Wording): StatusText | undefined {
  const session = [current, ...all].find(each => each?.link.kind === 'connected');
  if (!session) {
    return undefined;
  }
  const { say } = wording;
  const { lifecycle, requests } = session.state;
  const active = [...lifecycle.blocks.values()].filter(({ status }) => status === 'active').length;
  const total = requests.get(requests.length - 1)?.sealed.sizes?.total;
  const count = say(active === 1 ? sentence('1 block active') : sentence('{0} blocks active', active));
  const label = total ? say(sentence('{0}, {1} tokens', count, countText(total))) : count;
  const blocks = say(active === 1 ? sentence('1 block is active.') : sentence('{0} blocks are active.', active));
  const last = total && say(sentence('The last request: {0}', tokensSpoken(wording, total)));
  const parts = [nameOf(session, wording), blocks, ...(last === undefined ? [] : [last])];
  return { label, tooltip: parts.join('\n'), spoken: parts.join(' ') };
}

function nameOf({ header }: PanelSession, { say }: Wording): string {
  return say(sentence('Session {0} of {1}.', shown(header.id), shown(header.agent)));
}
