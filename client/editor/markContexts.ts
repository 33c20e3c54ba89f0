import type { BlockTokens } from '../session/blockTokens.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { editorWording } from '../views/editorWording.ts';
import type { MarkContext } from './markWords.ts';
import type { TagMark } from './tagMarks.ts';

/** What the words of marks need beside them. */
export class MarkContexts {
  readonly #tokens: BlockTokens;

  constructor(tokens: BlockTokens) {
    this.#tokens = tokens;
  }

  of(session: PanelSession, { block }: TagMark): MarkContext {
    const { agent, cwd } = session.header;
    const { kind } = session.link;
    const link = kind === 'connecting' ? 'connected' : kind;
    const tokens = block?.status === 'active' ? this.#tokens.of(session, block.id) : undefined;
    return { wording: editorWording, agent, cwd, link, tokens };
  }
}
