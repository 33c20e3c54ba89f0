/** What `context-lifecycle/protocol` gives to other programs. */
export {
  COMMENT_STRIPPING_HOSTS,
  type CommentStrippingHost,
  commentStrippingHost,
} from './lifecycle/commentStrippingHosts.ts';
export { type Declaration, type DeclarationKind, isBlockId, tagLine } from './lifecycle/declaration.ts';
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
export {
  type Fix,
  NEAR_MISS_REASONS,
  type NearMissReason,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  type RelatedPlace,
} from './lifecycle/problem.ts';
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
export { CorruptLogError } from './request/corruptLogError.ts';
export { deriveMessages } from './request/deriveMessages.ts';
export { foldRequestHeader } from './request/foldRequestHeader.ts';
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
export type { LinesDelta, SystemDelta } from './request/systemDelta.ts';
export type { ToolsDelta } from './request/toolsDelta.ts';
