import type { Amount } from '../../protocol/log/sessionEvents.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { AskedLater } from '../views/askedLater.ts';
import { editorWording } from '../views/editorWording.ts';
import type { MarkContext } from './markWords.ts';
import type { TagMark } from './tagMarks.ts';

/** What the words of marks need beside them; tokens come when the session has said them. */
export class MarkContexts {
  readonly #tokens: AskedLater<Amount>;

  /** `onMore` is called when words may say more than before. */
  constructor(onMore: () => void) {
    this.#tokens = new AskedLater(onMore);
  }

  of(session: PanelSession, mark: TagMark): MarkContext {
    const { agent, cwd } = session.header;
    const { kind } = session.link;
    const link = kind === 'connecting' ? 'connected' : kind;
    return { wording: editorWording, agent, cwd, link, tokens: this.#tokensOf(session, mark) };
  }

  /** What a discard would free is what the block takes. Nobody knows it before the first request. */
  #tokensOf(session: PanelSession, { block }: TagMark): Amount | undefined {
    if (block?.status !== 'active' || session.link.kind !== 'connected' || session.state.requests.length === 0) {
      return undefined;
    }
    const key = JSON.stringify([session.key, block.id, block.activated.seq]);
    return this.#tokens.get(key, async () => (await session.whatIf(block.id))?.freed);
  }
}
