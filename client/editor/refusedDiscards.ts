import type { AuditEntry, SessionState } from '../../protocol/log/sessionState.ts';

/** A discard that changed nothing. */
export interface Refusal {
  readonly why: 'denied' | 'unknown';
  /** The request that was built next. */
  readonly request: number;
}

/** The last refusal of each source and ID in one session's audit; each entry is looked at once. */
export class RefusedDiscards {
  readonly #bySource = new Map<string, Map<string, Refusal>>();
  #seen = 0;
  #last: AuditEntry | undefined;

  /** By ID, for the sources that are meant. */
  of({ audit }: Pick<SessionState, 'audit'>, isThis: (source: string) => boolean): ReadonlyMap<string, Refusal> {
    this.#read(audit);
    return new Map([...this.#bySource].filter(([source]) => isThis(source)).flatMap(([, refused]) => [...refused]));
  }

  #read(audit: SessionState['audit']): void {
    if (this.#seen > 0 && audit.get(this.#seen - 1)?.seq !== this.#last?.seq) {
      // Another log of the same session.
      this.#bySource.clear();
      this.#seen = 0;
    }
    for (; this.#seen < audit.length; this.#seen++) {
      this.#last = audit.get(this.#seen);
      if (this.#last) {
        this.#take(this.#last);
      }
    }
  }

  #take({ type, source, blockId, requestSequence }: AuditEntry): void {
    const why = type === 'discard/denied' ? 'denied' : type === 'discard/unknown' ? 'unknown' : undefined;
    if (why === undefined || source === undefined || blockId === undefined) {
      return;
    }
    const refused = this.#bySource.get(source) ?? new Map<string, Refusal>();
    refused.set(blockId, { why, request: requestSequence ?? 0 });
    this.#bySource.set(source, refused);
  }
}
