import { isAbsolute, resolve } from 'node:path';
import { type HandoffFile, readHandoff } from '../../protocol/budget/handoff/handoffFile.ts';
import { type FoundDocument, type ResumePlan, resumeHandoff } from '../../protocol/budget/handoff/resumeHandoff.ts';
import type { LifecycleSession } from '../../protocol/lifecycle/lifecycleSession.ts';
import { sha256 } from '../hashing.ts';
import type { SessionLog } from '../sessionLog.ts';
import { sourceText } from '../sourceText.ts';

export interface TakingOver {
  /** The handoff file's text. */
  readonly text: string;
  readonly log: SessionLog;
  readonly lifecycle: LifecycleSession;
  /** By which relative names of documents are found. */
  readonly cwd: string | undefined;
}

/** What a session takes over, and values of the first tier that no longer held in the one before. */
export interface TakenOver extends ResumePlan {
  readonly takenBack: readonly string[];
}

/**
 * seed 3, rule 6: what a new session takes over before any source is loaded: what was discarded stays so, what was consumed is
 * not audited again. The layer's own events are the caller's to log. Throws `HandoffError` for a text that is no handoff file.
 */
export function takeOver({ text, log, lifecycle, cwd }: TakingOver): TakenOver {
  const file = readHandoff(text);
  const plan = resumeHandoff({
    file,
    fileSha256: sha256(text),
    lifecycle: log.state.lifecycle,
    found: foundDocuments(file, cwd),
    requestSequence: log.state.requests.length + 1,
    sha256,
  });
  lifecycle.remember(plan.lifecycle.map(event => log.append(event)));
  return { ...plan, takenBack: (file.tier1?.overrides ?? []).map(({ old }) => old) };
}

/** Anybody may have written the file: so many documents are looked at, and so many characters of them read. */
const MOST_DOCUMENTS = 1_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** The file's documents as they are now; those that cannot be read are there without a hash. */
export function foundDocuments({ documents }: HandoffFile, cwd: string | undefined): readonly FoundDocument[] {
  let left = MOST_CHARACTERS;
  return documents.map(({ document }, index): FoundDocument => {
    if (index >= MOST_DOCUMENTS || left <= 0 || isElsewhere(document)) {
      return { document, unread: true };
    }
    try {
      const path = isAbsolute(document) || cwd === undefined ? document : resolve(cwd, document);
      const text = sourceText(path);
      left -= text.length;
      return { document, sha256: sha256(text) };
    } catch {
      return { document };
    }
  });
}

/** On another machine: to open it would tell that one who asks (Windows sends credentials). */
function isElsewhere(document: string): boolean {
  return /^[\\/]{2}/.test(document);
}
