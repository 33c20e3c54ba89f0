/** Counts what planning costs: tests hold it against what is new in a request. */
export interface PlanningWork {
  /** Entries that were put into a group. */
  grouped: number;
  /** Groups that were compared with the edits in force. */
  compared: number;
  /** Groups that were given a tier. */
  tiered: number;
  /** Messages whose tokens were asked for. */
  measured: number;
}

export function newWork(): PlanningWork {
  return { grouped: 0, compared: 0, tiered: 0, measured: 0 };
}
