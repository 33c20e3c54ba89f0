/** What `context-lifecycle/protocol` gives to other programs. */
export {
  type DocumentOutline,
  outlineDocument,
  type ParsedBlock,
  type ParsedDiscard,
  type ParsedDocument,
  type ParsedProblem,
  parseDocument,
} from './lifecycle/document.ts';
