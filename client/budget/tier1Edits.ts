import { l10n, ProgressLocation, type QuickPickItem, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import { inNotification, withoutIcons } from '../session/plainWords.ts';
import type { PanelSession, Tier1Texts } from '../session/sessionModel.ts';
import { editorWording } from '../views/editorWording.ts';
import {
  idFor,
  idProblem,
  layerOffText,
  lineProblem,
  rebasePriceText,
  rebaseText,
  TASK_ID,
  tier1Refusal,
  updateText,
} from './tier1Words.ts';

/** Asks for the task of a session, and sets it. */
export async function setTask(session: PanelSession): Promise<void> {
  const tier1 = await askTier1(session);
  if (!tier1) {
    return;
  }
  await changeLine(session, {
    id: TASK_ID,
    old: tier1.objective,
    title: l10n.t('Set Task'),
    prompt: l10n.t('What the session is about. Empty: the session has no task.'),
    removal: l10n.t('Take the task out?'),
  });
}

/** Lets a person choose a constraint, or a new one, and changes it. */
export async function updateConstraint(session: PanelSession): Promise<void> {
  const tier1 = await askTier1(session);
  const chosen = tier1 && (await pickConstraint(tier1));
  if (!chosen) {
    return;
  }
  if (chosen === 'new') {
    await addConstraint(
      session,
      tier1.constraints.map(({ id }) => id),
    );
    return;
  }
  const { id, text } = chosen;
  await changeLine(session, {
    id,
    old: text,
    title: l10n.t('Update Constraint {0}', withoutIcons(id)),
    prompt: l10n.t('What must hold in this session. Empty: the constraint is taken out.'),
    removal: l10n.t('Take constraint {0} out?', inNotification(id)),
  });
}

/** Says what a rebase costs, asks, and does it. */
export async function rebasePrefix(session: PanelSession): Promise<void> {
  if (!(await askTier1(session))) {
    return;
  }
  if (session.state.budget.tier1?.updates === 0) {
    void window.showInformationMessage(rebaseText('unchanged', editorWording));
    return;
  }
  const rebase = l10n.t('Rebase');
  const detail = rebasePriceText(session.state, editorWording);
  if ((await window.showWarningMessage(l10n.t('Rebase the prefix?'), { modal: true, detail }, rebase)) === rebase) {
    await tell(session.rebasePrefix().then(outcome => rebaseText(outcome, editorWording)));
  }
}

/** The first tier of a live session with the layer on; absent after a person was told why there is none. */
async function askTier1(session: PanelSession): Promise<Tier1Texts | undefined> {
  const refusal = tier1Refusal(session, editorWording);
  if (refusal !== undefined) {
    void window.showInformationMessage(refusal);
    return undefined;
  }
  const options = { location: ProgressLocation.Window, title: l10n.t('Asking the session for its constraints…') };
  try {
    const tier1 = await window.withProgress(options, () => session.tier1());
    if (tier1.budget) {
      return tier1;
    }
    void window.showInformationMessage(layerOffText(editorWording));
  } catch (error) {
    void window.showErrorMessage(l10n.t('The session did not say what holds in it. {0}', reasonOf(error)));
  }
  return undefined;
}

interface Line {
  readonly id: string;
  readonly old: string | undefined;
  readonly title: string;
  readonly prompt: string;
  /** The question before it is taken out. */
  readonly removal: string;
}

async function changeLine(session: PanelSession, { id, old, title, prompt, removal }: Line): Promise<void> {
  // The box has one line; what a person leaves as it is must not lose its line ends.
  const shownOld = (old ?? '').replace(/\s*[\r\n]+\s*/g, ' ');
  const text = await window.showInputBox({
    title,
    prompt,
    value: shownOld,
    ignoreFocusOut: true,
    validateInput: value => lineProblem(value, editorWording),
  });
  if (text === undefined) {
    return;
  }
  const value = text.trim() === '' ? undefined : text;
  if (value === undefined && old !== undefined) {
    const takeOut = l10n.t('Take Out');
    if ((await window.showWarningMessage(removal, { modal: true }, takeOut)) !== takeOut) {
      return;
    }
  }
  await update(session, id, old !== undefined && value === shownOld ? old : value);
}

async function addConstraint(session: PanelSession, known: readonly string[]): Promise<void> {
  const title = l10n.t('New Constraint');
  const text = await window.showInputBox({
    title,
    prompt: l10n.t('What must hold in this session from now on.'),
    ignoreFocusOut: true,
    validateInput: value => lineProblem(value, editorWording),
  });
  if (text === undefined || text.trim() === '') {
    return;
  }
  const id = await window.showInputBox({
    title,
    prompt: l10n.t('Its ID, by which it is changed or taken out later.'),
    value: idFor(text, known),
    ignoreFocusOut: true,
    validateInput: value => idProblem(value, known, editorWording),
  });
  if (id !== undefined) {
    await update(session, id.trim(), text);
  }
}

interface Item extends QuickPickItem {
  readonly value?: Tier1Texts['constraints'][number] | 'new';
}

async function pickConstraint({ constraints }: Tier1Texts): Promise<Item['value']> {
  const items: readonly Item[] = [
    ...constraints.map(value => ({
      label: withoutIcons(value.id),
      description: withoutIcons(value.text),
      iconPath: new ThemeIcon('law'),
      value,
    })),
    ...(constraints.length > 0 ? [{ label: '', kind: QuickPickItemKind.Separator }] : []),
    { label: l10n.t('New constraint…'), iconPath: new ThemeIcon('add'), value: 'new' },
  ];
  const title = l10n.t('Update Constraint');
  return (await window.showQuickPick(items, { title, matchOnDescription: true }))?.value;
}

async function update(session: PanelSession, id: string, value: string | undefined): Promise<void> {
  await tell(session.updateTier1(id, value).then(outcome => updateText(outcome, editorWording)));
}

async function tell(answer: Promise<string>): Promise<void> {
  try {
    void window.showInformationMessage(await answer);
  } catch (error) {
    void window.showErrorMessage(
      l10n.t('It is not known whether the session has changed anything. {0}', reasonOf(error)),
    );
  }
}

function reasonOf(error: unknown): string {
  return inNotification(error instanceof Error ? error.message : String(error));
}
