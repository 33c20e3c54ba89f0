import { commands, type Disposable, env, l10n, window } from 'vscode';
import { exportSession } from '../export/exportSession.ts';
import {
  CHOOSE_SESSION_COMMAND,
  OPEN_AUDIT_COMMAND,
  OPEN_SOURCE_COMMAND,
  SHOW_MORE_COMMAND,
  VIEW_COMMANDS,
} from '../names.ts';
import type { RequestDocuments } from '../request/requestDocuments.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import { chooseAuditFilter } from './auditPicker.ts';
import { discardBlock } from './discardBlock.ts';
import { editorWording } from './editorWording.ts';
import { type Given, subjectOf } from './given.ts';
import { type GivenSession, givenSession } from './givenSession.ts';
import { type Opening, openAuditEntry, openSource } from './openPlaces.ts';
import type { RowNode } from './rowTree.ts';
import { chooseActiveBlock, chooseRequest } from './sessionPicker.ts';
import type { SessionViews } from './sessionViews.ts';
import { showStateAt } from './showStateAt.ts';
import { usageText } from './usageText.ts';
import { shown } from './wording.ts';

/** A menu hands over the rows that are selected too, a row's click how to open. */
type More = readonly RowNode[] | Opening | undefined;
type Handler = (given: Given, more?: More) => Promise<unknown>;

/** Registers the commands of the views. Each has an answer while no session is there, and where none may be. */
export function registerViewCommands(
  sessions: PanelSessions,
  views: SessionViews,
  documents: RequestDocuments,
): readonly Disposable[] {
  const handlers: Readonly<Record<keyof typeof VIEW_COMMANDS, Handler>> = {
    discardBlock: async given => {
      const { session, about } = await subject(given);
      const title = l10n.t('Discard Block');
      const blockId = session && (about.blockId ?? (await chooseActiveBlock(session, title)));
      return session && blockId !== undefined && discardBlock(session, blockId);
    },
    copySessionBlockId: async given => {
      const { blockId } = subjectOf(given, sessions);
      // A session may call anything an ID, and what is copied may be pasted into a terminal.
      return blockId !== undefined && env.clipboard.writeText(shown(blockId, Number.MAX_SAFE_INTEGER));
    },
    showRequest: (given, more) => showRequest(given, 'text', l10n.t('Show Request'), more),
    showRawRequest: given => showRequest(given, 'json', l10n.t('Show Raw JSON'), undefined),
    compareRequests: async (given, more) => {
      const { session, about } = await subject(given);
      const selected = isSelection(more) ? more : [];
      if (!session) {
        return;
      }
      const [first, second, ...others] = selected.flatMap(({ row: { about } }) =>
        about?.session === session.key && about.request !== undefined ? [about.request] : [],
      );
      const isPair = second !== undefined && others.length === 0;
      const one = isPair ? first : (about.request ?? (await chooseRequest(session, l10n.t('Compare'))));
      const other = isPair ? second : one && (await chooseRequest(session, l10n.t('Compare With'), one));
      if (one !== undefined && other !== undefined) {
        await documents.compare(session, Math.min(one, other), Math.max(one, other));
      }
    },
    compareWithPrevious: async given => {
      const { session, about } = await subject(given);
      return session && about.request !== undefined && documents.compare(session, about.request - 1, about.request);
    },
    showStateAtRequest: async given => {
      const { session, about } = await subject(given);
      const request = session && (about.request ?? (await chooseRequest(session, l10n.t('Show State at Request'))));
      return session && request !== undefined && showStateAt(views, session, request);
    },
    showStateOfNow: async given => {
      if (!views.showNow(subjectOf(given, sessions).session)) {
        void window.showInformationMessage(l10n.t('The views show the state of now.'));
      }
    },
    showBlockInRequest: async given => {
      const { session, about } = await subject(given);
      const last = session?.state.requests.length ?? 0;
      if (session && last > 0) {
        // A discarded block stands in the last request before it was gone.
        const gone = session.state.lifecycle.blocks.get(about.blockId ?? '')?.discarded?.requestSequence;
        const latest = Math.min(about.request ?? last, (gone ?? last + 1) - 1);
        await documents.show(session, Math.min(last, Math.max(1, latest)), 'text', about);
      } else if (session) {
        void window.showInformationMessage(l10n.t('This session has sent no request yet.'));
      }
    },
    filterAudit: async () => {
      const filter = await chooseAuditFilter(sessions, views.filter);
      if (filter) {
        views.filter = filter;
      }
    },
    clearAuditFilter: async () => {
      views.filter = {};
    },
    copyUsage: async given => {
      const { session } = await subject(given);
      return session && env.clipboard.writeText(usageText(session, editorWording));
    },
    exportSession: async given => {
      const { session } = await subject(given);
      return session && exportSession(session);
    },
  };
  return [
    ...Object.entries(VIEW_COMMANDS).map(([name, id]) =>
      commands.registerCommand(id, (given: Given, more: More) =>
        handlers[name as keyof typeof VIEW_COMMANDS](given, more),
      ),
    ),
    commands.registerCommand(SHOW_MORE_COMMAND, (view: string, list: string) => views.showMore(view, list)),
    commands.registerCommand(OPEN_SOURCE_COMMAND, openSource),
    commands.registerCommand(CHOOSE_SESSION_COMMAND, (key: string) => sessions.choose(key)),
    commands.registerCommand(OPEN_AUDIT_COMMAND, (entry: { session: string; seq: number }, opening?: Opening) =>
      openAuditEntry(sessions, documents, entry, opening),
    ),
  ];

  function subject(given: Given): Promise<GivenSession> {
    return givenSession(given, sessions);
  }

  async function showRequest(given: Given, form: 'text' | 'json', title: string, more: More): Promise<void> {
    const { session, about } = await subject(given);
    const request = session && (about.request ?? (await chooseRequest(session, title)));
    if (session && request !== undefined) {
      await documents.show(session, request, form, isSelection(more) ? {} : more);
    }
  }
}

function isSelection(more: More): more is readonly RowNode[] {
  return Array.isArray(more);
}
