/**
 * There is no summary. The message says why, as a part of a sentence, and stands in the log, also in one that keeps no content:
 * no word of it comes from a conversation, a program or a model.
 */
export class NoSummaryError extends Error {
  override readonly name = 'NoSummaryError';
}
