/** As much of pi's extension API as this adapter uses; the same in 0.73 and 1.6 but for what is marked. */
export interface PiApi {
  on<Name extends keyof PiEvents>(event: Name, handler: PiHandler<Name>): unknown;
  registerCommand(name: string, command: PiCommand): void;
  getAllTools(): readonly PiTool[];
  /** Names of the tools that requests declare. */
  getActiveTools(): readonly string[];
  getThinkingLevel(): string;
}

export type PiHandler<Name extends keyof PiEvents> = (
  event: PiEvents[Name][0],
  context: PiContext,
) => Promise<PiEvents[Name][1]>;

/** Each event with what its handler may return. */
export interface PiEvents {
  session_start: [{ readonly reason: string; readonly previousSessionFile?: string }, void];
  session_shutdown: [{ readonly reason: string }, void];
  before_agent_start: [BeforeAgentStart, { readonly systemPrompt: string } | undefined];
  context: [{ readonly messages: readonly PiMessage[] }, { readonly messages: readonly PiMessage[] } | undefined];
  before_provider_request: [{ readonly payload: unknown }, undefined];
  message_end: [{ readonly message: PiMessage }, undefined];
}

export interface BeforeAgentStart {
  /** 1.6: a getter, which shows what was changed in `systemPromptOptions`. */
  readonly systemPrompt: string;
  /** 1.6: a copy that may be changed. 0.73: pi's own, which must not be. */
  readonly systemPromptOptions: {
    readonly contextFiles?: readonly PiContextFile[];
    readonly skills?: readonly PiSkill[];
  };
}

export interface PiContextFile {
  readonly path: string;
  content: string;
}

export interface PiSkill {
  readonly name: string;
  readonly filePath: string;
  readonly sourceInfo?: { readonly scope?: string };
}

/** A message of any role. */
export type PiMessage = object & { readonly role?: unknown };

export interface PiTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: unknown;
}

export interface PiCommand {
  readonly description: string;
  readonly getArgumentCompletions?: (prefix: string) => { readonly value: string; readonly label: string }[] | null;
  readonly handler: (text: string, context: PiCommandContext) => Promise<void>;
}

export interface PiCommandContext extends PiContext {
  /** Absent in 0.73. */
  getSystemPromptOptions?(): BeforeAgentStart['systemPromptOptions'];
}

export interface PiModel {
  readonly id: string;
  readonly provider: string;
  readonly api: string;
  /** In tokens. */
  readonly contextWindow?: number;
  /** The longest answer, in tokens. */
  readonly maxTokens?: number;
}

export interface PiContext {
  readonly ui: { notify(message: string, type?: 'info' | 'warning' | 'error'): void };
  /** False in print mode, where `notify` does nothing. */
  readonly hasUI: boolean;
  readonly cwd: string;
  readonly model?: PiModel | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly sessionManager: {
    getSessionId(): string;
    /** Absent where the session is not stored. */
    getSessionFile(): string | undefined;
    getHeader(): { readonly parentSession?: string } | null;
    getEntries(): readonly { readonly type: string }[];
  };
  abort(): void;
  getSystemPrompt(): string;
}
