import { l10n, ProgressLocation, window } from 'vscode';
import { observeOnly } from '../../protocol/log/observeOnly.ts';
import { inNotification, withoutIcons } from '../session/plainWords.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { failureText } from './discardFailure.ts';
import { outcomeText, refusalText, whatIfText } from './discardWords.ts';
import { editorWording } from './editorWording.ts';

/** How long an answer stands in the status bar, in milliseconds. */
const ANSWER_TIME = 8_000;

/** Says what a discard would change, asks, does it, and says what came of it. */
export async function discardBlock(session: PanelSession, blockId: string): Promise<void> {
  const refusal = refusalText(session, blockId, editorWording);
  if (refusal !== undefined) {
    void window.showInformationMessage(refusal);
    return;
  }
  const title = l10n.t('Asking what a discard of {0} would change…', withoutIcons(blockId));
  const price = await window.withProgress({ location: ProgressLocation.Window, title }, () =>
    session.whatIf(blockId).catch(() => 'unanswered' as const),
  );
  const discard = l10n.t('Discard');
  const answer = await window.showWarningMessage(
    l10n.t('Discard block {0}?', inNotification(blockId)),
    { modal: true, detail: whatIfText(price, session, editorWording, observedOf(session, blockId)) },
    discard,
  );
  if (answer === discard) {
    await tellOutcome(session, blockId);
  }
}

function observedOf({ state }: PanelSession, blockId: string): string | undefined {
  const source = state.lifecycle.blocks.get(blockId)?.activated.source;
  return source === undefined ? undefined : observeOnly(state).get(source);
}

/** What a person asked for and got needs no notification; what they did not get does. */
async function tellOutcome(session: PanelSession, blockId: string): Promise<void> {
  try {
    const outcome = await session.discard(blockId);
    const text = outcomeText(blockId, outcome, editorWording, observedOf(session, blockId));
    if (outcome === 'discarded') {
      window.setStatusBarMessage(withoutIcons(text), ANSWER_TIME);
    } else {
      void window.showWarningMessage(text);
    }
  } catch (error) {
    void window.showErrorMessage(failureText(blockId, error, editorWording));
  }
}
