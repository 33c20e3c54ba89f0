import type { Folders } from '../../local/folders.ts';
import type { DemoTeller } from './demoTeller.ts';

export interface DemoOptions {
  readonly cwd: string;
  readonly folders: Folders;
  readonly teller: DemoTeller;
  /** Milliseconds between two things that happen; 0 for as fast as possible. */
  readonly pace: number;
  /** Where the bodies go that the model receives. */
  readonly record?: string;
  /** The session goes on with small turns until `signal` ends it. */
  readonly keepOpen: boolean;
  readonly signal: AbortSignal;
}

/** What the demo leaves behind. */
export interface DemoResult {
  readonly sessionId: string;
  readonly logFile: string;
  readonly requests: number;
}
