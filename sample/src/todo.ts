/** One thing to do. */
export interface Todo {
  readonly id: number;
  readonly title: string;
  readonly done: boolean;
}

/** The longest title that the service stores. */
export const MAX_TITLE_LENGTH = 200;

/** Reads a title from a request body; undefined when there is none that can be stored. */
export function readTitle(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('title' in body)) {
    return undefined;
  }
  const { title } = body;
  const text = typeof title === 'string' ? title.trim() : '';
  return text !== '' && text.length <= MAX_TITLE_LENGTH ? text : undefined;
}
