/** What `context-lifecycle/protocol` gives to other programs. */
export { applyEdits, type EditedEntry, editsInForce } from './budget/applyEdits.ts';
export { BudgetContents } from './budget/budgetContents.ts';
export type { BudgetEvent, Edit, Limits, Measured, Summary, SummaryRecord } from './budget/budgetEvents.ts';
export type { BudgetState } from './budget/budgetState.ts';
export type { Anchoring, BudgetConfig, BudgetView } from './budget/budgetView.ts';
export type { BudgetFold } from './budget/classification.ts';
export { type MeasuredRequest, measuredEvents } from './budget/gate.ts';
export { type BudgetedRequest, budgetRequest, plan } from './budget/plan.ts';
export { remeasured, type SealedSizes } from './budget/remeasured.ts';
export { type UsageReport, type UsageStatus, usageReport } from './budget/usageReport.ts';
export {
  type Ability,
  AGENT_PROFILES,
  type AgentProfile,
  agentProfile,
  type Level,
  type LinePrefix,
  type StrippedComments,
} from './lifecycle/agentProfiles.ts';
export {
  COMMENT_STRIPPING_HOSTS,
  type CommentStrippingHost,
  commentStrippingHost,
} from './lifecycle/commentStrippingHosts.ts';
export { type Declaration, type DeclarationKind, isBlockId, tagLine } from './lifecycle/declaration.ts';
export { allows, DEFAULT_POLICY, type Verdict } from './lifecycle/defaultPolicy.ts';
export {
  type DocumentOutline,
  outlineDocument,
  type ParsedBlock,
  type ParsedDiscard,
  type ParsedDocument,
  type ParsedFix,
  type ParsedProblem,
  type ParsedRelatedPlace,
  parseDocument,
} from './lifecycle/document.ts';
export type { BlockState, EphemeralState, LifecycleState, SourceState } from './lifecycle/lifecycleState.ts';
export type { MessageDescription, MessageFormat, UnitDescription } from './lifecycle/messageFormat.ts';
export {
  type Policy,
  type PolicyRule,
  RIGHTS,
  type Right,
  SOURCE_CLASSES,
  type SourceClass,
} from './lifecycle/policy.ts';
export {
  type Fix,
  NEAR_MISS_REASONS,
  type NearMissReason,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  type RelatedPlace,
} from './lifecycle/problem.ts';
export { seedTwoFormat } from './lifecycle/seedTwoFormat.ts';
export {
  type ByteNote,
  type ByteNoteCode,
  type Decode,
  type DecodedSource,
  decodeSource,
  looksBinary,
  type SourceEncoding,
} from './lifecycle/sourceBytes.ts';
export type { Block } from './lifecycle/structure.ts';
export { type Message, renderMessage, type TextChange, type TextRange, type Work } from './lifecycle/text.ts';
export type { Digest } from './log/digest.ts';
export { eventSentence } from './log/eventSentence.ts';
export { hashedHeader, hashedMessage } from './log/hashedContent.ts';
export { LogReader, type LogReading, MAX_LINE_LENGTH, readLogText } from './log/logReader.ts';
export { parseLogHeader } from './log/parseLogHeader.ts';
export { readEvent } from './log/readEvent.ts';
export { initialState, reduce } from './log/reduce.ts';
export {
  type Amount,
  type EventData,
  LOG_VERSION,
  type LogHeader,
  type NewEvent,
  type Outcome,
  type Price,
  type SessionEventType,
  type Sizes,
  type Usage,
} from './log/sessionEvents.ts';
export type { AuditEntry, OpenStep, OpenTurn, Placed, RequestState, SessionState } from './log/sessionState.ts';
export { StateHistory } from './log/stateHistory.ts';
export { type StateJson, stateFromJson, stateToJson } from './log/stateJson.ts';
export { withoutContent } from './log/withoutContent.ts';
export { CorruptLogError } from './request/corruptLogError.ts';
export { deriveMessages } from './request/deriveMessages.ts';
export { foldRequestHeader } from './request/foldRequestHeader.ts';
export type { Sha256 } from './request/hashing.ts';
export {
  canonicalHeader,
  headerEquals,
  type RawRequestHeader,
  type RequestHeader,
  type RequestMessage,
} from './request/header.ts';
export { applyHeaderDelta, diffHeader, type HeaderDelta } from './request/headerDelta.ts';
export type { Json, JsonObject } from './request/json.ts';
export type { LogEvent, SurfaceOp } from './request/logEvent.ts';
export { type RebuiltRequest, rebuildRequest } from './request/rebuildRequest.ts';
export { type HeaderEvent, type HeaderInstance, type HeaderReason, recordHeader } from './request/recordHeader.ts';
export { RequestHistory } from './request/requestHistory.ts';
export { type SealedRequest, sealedText } from './request/sealer.ts';
export type { LinesDelta, SystemDelta } from './request/systemDelta.ts';
export type { ToolsDelta } from './request/toolsDelta.ts';
export { Vector } from './vector.ts';
