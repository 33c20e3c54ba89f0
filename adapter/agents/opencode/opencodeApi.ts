/** As much of opencode's plug-in API (`@opencode-ai/plugin` 1.18) as this adapter uses. */
export interface OpencodeInput {
  readonly client: OpencodeClient;
  readonly directory: string;
  /** The folder that holds the project's repository; `/` where there is none. */
  readonly worktree: string;
}

/** Its calls give `data`, or `error` in place of it. */
export interface OpencodeClient {
  readonly app: { agents(): Promise<Answered<readonly OpencodeAgent[]>> };
  readonly path: { get(): Promise<Answered<OpencodePaths>> };
  readonly session: {
    get(options: { readonly path: { readonly id: string } }): Promise<Answered<OpencodeSessionInfo>>;
    messages(options: { readonly path: { readonly id: string } }): Promise<Answered<readonly OpencodeMessage[]>>;
  };
  readonly tui: {
    showToast(options: {
      readonly body: { readonly message: string; readonly variant: ToastVariant; readonly duration?: number };
    }): Promise<unknown>;
  };
}

export interface Answered<Data> {
  readonly data?: Data | undefined;
}

export type ToastVariant = 'info' | 'warning' | 'error';

export interface OpencodeAgent {
  readonly name: string;
  /** Those that opencode asks by itself: for a title, a summary, a compaction. */
  readonly hidden?: boolean;
  readonly prompt?: string;
}

export interface OpencodePaths {
  /** Of the person's own configuration. */
  readonly config: string;
  readonly home?: string;
}

export interface OpencodeSessionInfo {
  readonly id: string;
  /** Of the session whose sub-agent this one is. */
  readonly parentID?: string;
  /** Of opencode. */
  readonly version?: string;
}

export interface OpencodeMessage {
  readonly info: MessageInfo;
  readonly parts: readonly MessagePart[];
}

export interface MessageInfo {
  readonly id: string;
  readonly role: string;
  readonly sessionID: string;
  readonly agent?: string;
  /** Of a user message. */
  readonly model?: { readonly providerID: string; readonly modelID: string; readonly variant?: string };
  /** Of an answer: `stop`, `tool-calls` …; absent while it comes. */
  readonly finish?: string;
  readonly error?: { readonly name?: string; readonly data?: unknown };
  readonly time?: { readonly created?: number; readonly completed?: number };
  readonly tokens?: unknown;
  /** Of an answer: it is the summary of a compaction. Of a user message: something else. */
  readonly summary?: unknown;
}

export interface MessagePart {
  readonly type: string;
  /** Of a text or of what was thought. */
  readonly text?: string;
  /** opencode added it by itself: the text of an attached file, for one. */
  readonly synthetic?: boolean;
  /** It is shown to the person alone. */
  readonly ignored?: boolean;
}

/** A part that is a tool's call and its result. */
export interface ToolPart extends MessagePart {
  readonly callID: string;
  readonly tool: string;
  readonly state: ToolState;
}

export interface ToolState {
  readonly status: string;
  readonly input?: unknown;
  readonly output?: string;
  readonly error?: string;
  readonly attachments?: readonly unknown[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly time?: { readonly compacted?: number };
}

export interface OpencodeEvent {
  readonly type: string;
  readonly properties?: unknown;
}

/** What opencode calls. A handler that rejects ends the run, so that nothing is sent. */
export interface OpencodeHooks {
  readonly dispose: () => Promise<void>;
  readonly event: (input: { readonly event: OpencodeEvent }) => Promise<void>;
  readonly config: (config: OpencodeConfig) => Promise<void>;
  readonly 'command.execute.before': (input: {
    readonly command: string;
    readonly sessionID: string;
    readonly arguments: string;
  }) => Promise<void>;
  readonly 'experimental.session.compacting': (input: { readonly sessionID: string }) => Promise<void>;
  readonly 'experimental.chat.messages.transform': (
    input: object,
    output: { readonly messages: OpencodeMessage[] },
  ) => Promise<void>;
  readonly 'experimental.chat.system.transform': (
    input: { readonly sessionID?: string },
    output: { readonly system: string[] },
  ) => Promise<void>;
  readonly 'chat.params': (
    input: { readonly sessionID: string; readonly agent: string; readonly model?: OpencodeModel },
    output: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
}

/** What opencode says of a model, as far as it is read. */
export interface OpencodeModel {
  /** In tokens. */
  readonly limit?: { readonly context?: number; readonly input?: number };
}

export interface OpencodeConfig {
  command?: Record<string, { readonly template: string; readonly description?: string }>;
  readonly instructions?: readonly string[];
}
