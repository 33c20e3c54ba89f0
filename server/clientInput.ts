import { ErrorCodes, type Position, ResponseError } from 'vscode-languageserver';

/**
 * The position, if its numbers are whole. Throws a `ResponseError` otherwise: a place that is no number would be looked
 * for for ever. Numbers outside the document are fine, and mean its nearest place.
 */
export function checkedPosition(position: Position): Position {
  if (!Number.isInteger(position?.line) || !Number.isInteger(position.character)) {
    throw new ResponseError(ErrorCodes.InvalidParams, 'A position needs a line and a character, both whole numbers.');
  }
  return position;
}

/** The text, if it is one. Throws a `ResponseError` otherwise: a document without text would break every answer. */
export function checkedText(text: string): string {
  if (typeof text !== 'string') {
    throw new ResponseError(ErrorCodes.InvalidParams, 'The text of a document must be a string.');
  }
  return text;
}
