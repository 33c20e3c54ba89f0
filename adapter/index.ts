/** What `context-lifecycle/adapter` gives to whoever puts an adapter into or in front of an agent. */
export type { BudgetSettings } from '../local/budgetSettings.ts';
export { LogInUseError, LogWriteError } from '../local/logErrors.ts';
export { UnsafeFolderError } from '../local/unsafeFolderError.ts';
export { HandoffError } from '../protocol/budget/handoff/handoffFile.ts';
export type { Tier1 } from '../protocol/budget/tier1.ts';
export type { UsageReport } from '../protocol/budget/usageReport.ts';
export { MissingBlockTextError } from '../protocol/lifecycle/blockTexts.ts';
export { allows, DEFAULT_POLICY } from '../protocol/lifecycle/defaultPolicy.ts';
export { UnreadableMessageError } from '../protocol/lifecycle/messageCopy.ts';
export type { MessageDescription, MessageFormat, UnitDescription } from '../protocol/lifecycle/messageFormat.ts';
export type { Policy, PolicyRule, Right, SourceClass } from '../protocol/lifecycle/policy.ts';
export { seedTwoFormat } from '../protocol/lifecycle/seedTwoFormat.ts';
export type { Amount, Outcome, Price, Sizes, Usage } from '../protocol/log/sessionEvents.ts';
export type { SessionState } from '../protocol/log/sessionState.ts';
export { CorruptLogError } from '../protocol/request/corruptLogError.ts';
export type { Json, JsonObject } from '../protocol/request/json.ts';
export type { LogEvent } from '../protocol/request/logEvent.ts';
export { PrefixError, PrefixInterruptedError } from '../protocol/request/sessionPrefix.ts';
export { BudgetLimitError } from './budget/budgetLimitError.ts';
export type { Tier1Source } from './budget/firstTier.ts';
export type { GivenDocument } from './budget/givenDocuments.ts';
export type { GivenLimits } from './budget/sessionLimits.ts';
export {
  type AiSdkSummariesOptions,
  aiSdkSummaries,
  type SummaryCall,
  type SummaryModel,
} from './budget/summarizers/aiSdkSummaries.ts';
export { type CommandSummariesOptions, commandSummaries } from './budget/summarizers/commandSummaries.ts';
export type { SummaryMaker } from './budget/summarizers/summaryMaker.ts';
export { SessionConfigError } from './givenConfig.ts';
export { openSession } from './openSession.ts';
export {
  CrossCheckError,
  GivenUpRequestError,
  PairingError,
  SessionClosedError,
  UnloggableEventError,
} from './requestErrors.ts';
export type {
  BeginInput,
  BegunRequest,
  DirectiveOutcome,
  Ended,
  PrefixContributor,
  RebaseOutcome,
  Receipt,
  RequestHeader,
  RequestInput,
  Sealed,
  Session,
  SessionConfig,
  SessionOptions,
  Source,
  Tier1Outcome,
} from './sessionTypes.ts';
export type { TokenCounter } from './tokens/tokenCounter.ts';
