import { commands, type Disposable, env, l10n, Position, Range, Uri, window, workspace } from 'vscode';
import { exportSession } from '../export/exportSession.ts';
import { OPEN_AUDIT_COMMAND, OPEN_SOURCE_COMMAND, SHOW_MORE_COMMAND, VIEW_COMMANDS } from '../names.ts';
import type { RequestDocuments } from '../request/requestDocuments.ts';
import { inNotification } from '../session/plainWords.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import { chooseAuditFilter } from './auditPicker.ts';
import { discardBlock } from './discardBlock.ts';
import { editorWording } from './editorWording.ts';
import { type Given, subjectOf } from './given.ts';
import type { RowSubject } from './row.ts';
import type { RowNode } from './rowTree.ts';
import { chooseActiveBlock, chooseRequest, chooseSession } from './sessionPicker.ts';
import type { SessionViews } from './sessionViews.ts';
import { type FilePlace, filePlace } from './sourcePlace.ts';
import { usageText } from './usageText.ts';

type Handler = (given: Given, selected?: readonly RowNode[]) => Promise<unknown>;

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
      return blockId !== undefined && env.clipboard.writeText(blockId);
    },
    showRequest: given => showRequest(given, 'text', l10n.t('Show Request')),
    showRawRequest: given => showRequest(given, 'json', l10n.t('Show Raw JSON')),
    compareRequests: async (given, selected = []) => {
      const { session, about } = await subject(given);
      if (!session) {
        return;
      }
      const [first, second, ...more] = selected.flatMap(({ row: { about } }) =>
        about?.session === session.key && about.request !== undefined ? [about.request] : [],
      );
      const isPair = second !== undefined && more.length === 0;
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
    showBlockInRequest: async given => {
      const { session, about } = await subject(given);
      const last = session?.state.requests.length ?? 0;
      if (session && last > 0) {
        // A discarded block stands in the last request before it was gone.
        const gone = session.state.lifecycle.blocks.get(about.blockId ?? '')?.discarded?.requestSequence;
        await documents.show(session, Math.min(last, Math.max(1, (gone ?? last + 1) - 1)), 'text', about.blockId);
      } else if (session) {
        void window.showInformationMessage(l10n.t('This session has sent no request yet.'));
      }
    },
    filterAudit: async () => {
      const filter = await chooseAuditFilter(sessions);
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
      commands.registerCommand(id, (given: Given, selected?: readonly RowNode[]) =>
        handlers[name as keyof typeof VIEW_COMMANDS](given, selected),
      ),
    ),
    commands.registerCommand(SHOW_MORE_COMMAND, (view: string, list: string) => views.showMore(view, list)),
    commands.registerCommand(OPEN_SOURCE_COMMAND, openSource),
    commands.registerCommand(OPEN_AUDIT_COMMAND, (entry: { readonly session: string; readonly seq: number }) =>
      openAuditEntry(entry.session, entry.seq),
    ),
  ];

  async function subject(given: Given): Promise<{ session: PanelSession | undefined; about: Partial<RowSubject> }> {
    const about = subjectOf(given, sessions);
    const known = sessions.all.find(({ key }) => key === about.session);
    return { session: known ?? (await chooseSession(sessions)), about };
  }

  async function showRequest(given: Given, form: 'text' | 'json', title: string): Promise<void> {
    const { session, about } = await subject(given);
    const request = session && (about.request ?? (await chooseRequest(session, title)));
    if (session && request !== undefined) {
      await documents.show(session, request, form);
    }
  }

  /** The source's line where that is a file, else the request that it was about. */
  async function openAuditEntry(key: string, seq: number): Promise<void> {
    const session = sessions.all.find(each => each.key === key);
    const events = (await session?.history(seq, seq + 1).catch(() => [])) ?? [];
    const data = events.find(event => event.seq === seq)?.data as
      | { readonly source?: string; readonly line?: number; readonly requestSequence?: number }
      | undefined;
    const place = data?.source === undefined ? undefined : filePlace(data.source, session?.header.cwd, data.line);
    if (place) {
      await openSource(place);
    } else if (session && data?.requestSequence !== undefined) {
      await documents.show(session, Math.min(data.requestSequence, session.state.requests.length), 'text');
    }
  }
}

async function openSource({ path, line }: FilePlace): Promise<void> {
  try {
    const document = await workspace.openTextDocument(Uri.file(path));
    const start = new Position(Math.min(line, document.lineCount) - 1, 0);
    await window.showTextDocument(document, { preview: true, selection: new Range(start, start) });
  } catch {
    void window.showInformationMessage(l10n.t('{0} cannot be opened: it may have been moved.', inNotification(path)));
  }
}
