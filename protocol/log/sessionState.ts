import type { BudgetState } from '../budget/budgetState.ts';
import type { LifecycleState } from '../lifecycle/lifecycleState.ts';
import type { Vector } from '../vector.ts';
import type { AuditType } from './auditEntry.ts';
import type { EventData, SessionEventType } from './sessionEvents.ts';

/** Data of one event with its place. */
export type Placed<Type extends SessionEventType> = EventData<Type> & { readonly seq: number; readonly time: number };

/** The bytes that carry a request to a model API. */
export interface RequestBodyState {
  readonly bytes: number;
  readonly sha256: string;
  /** How they are compressed; absent where they are not. */
  readonly encoding?: string;
}

export interface RequestState {
  readonly sealed: Placed<'request/sealed'>;
  readonly turn: number;
  readonly step: number;
  /** Absent until it has ended; outcome `aborted` where the session ended first. */
  readonly ended?: Placed<'step/end'>;
  /** Absent where no body is logged: the agent's own client makes it. */
  readonly body?: RequestBodyState;
  /** Absent until something was seen to leave. */
  readonly receipt?: Placed<'request/receipt'>;
}

export interface OpenTurn {
  readonly turn: number;
  /** Of its `turn/start`. */
  readonly seq: number;
}

export interface OpenStep {
  readonly step: number;
  /** Of its `step/start`. */
  readonly seq: number;
  /** As its `step/start` says; the request may never have been sealed. */
  readonly requestSequence?: number;
}

/** An event that the audit list shows; its data is in the log at `seq`. */
export interface AuditEntry {
  readonly seq: number;
  readonly time: number;
  readonly type: AuditType;
  /** Absent where it is about none. */
  readonly blockId?: string;
  readonly source?: string;
  readonly requestSequence?: number;
}

/**
 * What a log says after some of its events: the one state that adapter, editor, command line and tests share. It is never
 * changed, and it depends on no message's content, so that it is the same where content was left out.
 */
export interface SessionState {
  /** How many events it has seen, which is the `seq` of the next. */
  readonly nextSeq: number;
  /** Unix milliseconds of the last event; absent when there was none. */
  readonly time?: number | undefined;
  /** How often the clock went back. Order is by `seq`; times are shown as given. */
  readonly clockWentBack: number;
  /** The last instance; absent in an empty log. */
  readonly opened?: Placed<'session/opened'> | undefined;
  readonly instances: number;
  /** The last instance said that it ended. */
  readonly closed: boolean;
  readonly lifecycle: LifecycleState;
  /** Seed 3's layer; empty where it is off, but for the interactions. */
  readonly budget: BudgetState;
  /** By request sequence, from 1: the first stands at 0. */
  readonly requests: Vector<RequestState>;
  /** The open turn and step; absent outside. */
  readonly turn?: OpenTurn | undefined;
  readonly step?: OpenStep | undefined;
  /** Numbers of the last ones, 0 before the first. */
  readonly lastTurn: number;
  readonly lastStep: number;
  readonly audit: Vector<AuditEntry>;
  readonly problems: Vector<Placed<'session/problem'>>;
  /** Of events whose type this version does not know, which said that they may be passed over. */
  readonly unknown: number;
}
