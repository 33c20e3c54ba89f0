import { type HandoffPlace, putBackHandoff, takePendingHandoff } from '../../local/pendingHandoff.ts';

/** What a new session goes on from, and what is to be said where that cannot be read. */
export interface WaitingHandoff {
  /** A handoff file's text. */
  readonly text?: string;
  /** For a session that ends before its first request, which would have shown it: it waits again. */
  readonly putBack?: () => void;
  readonly notices: readonly string[];
}

/** Takes the handoff that a person left for the next new session of this folder. Throws nothing: a session begins without it. */
export function waitingHandoff(folder: string, agent: string, cwd: string | undefined): WaitingHandoff {
  if (cwd === undefined) {
    return { notices: [] };
  }
  const place: HandoffPlace = { folder, cwd, agent };
  try {
    const taken = takePendingHandoff(place);
    return taken ? { notices: [], text: taken.text, putBack: () => putBackHandoff(folder, taken) } : { notices: [] };
  } catch (error) {
    return { notices: [error instanceof Error ? error.message : String(error)] };
  }
}
