/** What the page of a budget draws. All words come from the extension: the page has none, and shows each as plain text. */
export interface PageData {
  readonly heading: string;
  readonly level: Level;
  /** Why the level is what it is; empty where there is nothing to say. */
  readonly reason: string;
  /** Plain sentences below it. */
  readonly about: readonly string[];
  /** Leads back to now; absent where the page shows now. */
  readonly back?: string;
  /** What the last request takes; absent before one was measured. */
  readonly parts?: PartsData;
  readonly requests?: RequestsData;
}

export type Level = 'normal' | 'warning' | 'error';

/** Rows of one request, drawn as bars over its window. */
export interface PartsData {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly PartRow[];
  readonly window: number;
  readonly trigger: number;
  readonly hard: number;
  readonly triggerLabel: string;
  readonly hardLabel: string;
  /** What a compression would do now; empty while nobody has said it, absent where nobody is asked. */
  readonly whatIf?: string;
}

export interface PartRow {
  /** Which colour and pattern it has; `total` is drawn as all the others behind one another. */
  readonly key: string;
  readonly label: string;
  readonly detail: string;
  readonly tokens: number;
  /** Absent where nothing bounds the row. */
  readonly max?: number;
  readonly amount: string;
  readonly percent: string;
  readonly isOver: boolean;
}

/** Requests in their order, as a chart or as a table. */
export interface RequestsData {
  readonly title: string;
  /** What the charts show, for who does not see them. */
  readonly description: string;
  /** How the keyboard moves in them. */
  readonly hint: string;
  readonly showTable: string;
  readonly showChart: string;
  readonly tokensTitle: string;
  readonly cacheTitle: string;
  /** In place of the cache's chart where no provider said anything. */
  readonly noCache: string;
  readonly triggerLabel: string;
  readonly hardLabel: string;
  /** Said where both lines lie above what is drawn. */
  readonly linesAbove: string;
  readonly columns: readonly string[];
  /** Names of the stacked parts, lowest first. */
  readonly parts: readonly { readonly key: string; readonly label: string }[];
  readonly marks: readonly { readonly kind: MarkKind; readonly label: string }[];
  readonly points: readonly PointData[];
}

export type MarkKind = 'compression' | 'emergency' | 'discard' | 'blocked';

export interface PointData {
  readonly request: number;
  /** What is said of it. */
  readonly label: string;
  /** Of its row in the table. */
  readonly cells: readonly string[];
  /** Tokens of the parts, in their order. */
  readonly sizes: readonly number[];
  readonly total: number;
  readonly trigger: number;
  readonly hard: number;
  /** Hundredths of the input that came from the cache; absent where the provider did not say. */
  readonly cached?: number;
  readonly marks: readonly MarkKind[];
  /** Whether it has an exact text to show. */
  readonly canOpen: boolean;
}

/** What the page asks of the extension; whoever gets it checks it. */
export type PageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'open'; readonly request: number }
  | { readonly type: 'back' };

/** What the page is told. */
export interface DrawMessage {
  readonly type: 'draw';
  readonly data: PageData;
}
