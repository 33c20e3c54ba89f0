import type { CodeActionKind, Command } from 'vscode-languageserver';
import type { Message, TextChange } from '../../../protocol/lifecycle/text.ts';
import type { Finding } from '../../check/finding.ts';

/** One code action before it is put into the client's form. A fix is an offer: nothing is applied by itself. */
export interface ActionOffer {
  /** Names the offer among those of the same document and version, so that it is found again on resolve. */
  readonly key: string;
  readonly title: Message;
  readonly kind: CodeActionKind;
  /** The findings that it repairs; empty for a refactoring. */
  readonly findings: readonly Finding[];
  /** Whether it is the one obvious repair. */
  readonly preferred: boolean;
  /** Why it cannot be done here; absent when it can. */
  readonly disabled?: Message;
  /** What the client runs after the edit; absent when nothing follows. */
  readonly command?: Command;
  changes(): readonly TextChange[];
}
