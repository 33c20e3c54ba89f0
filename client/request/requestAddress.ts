/** The scheme of the documents that show requests. */
export const REQUEST_SCHEME = 'context-lifecycle-request';

/** Which request a document shows, and how. */
export interface RequestAddress {
  readonly session: string;
  readonly request: number;
  readonly form: 'text' | 'json';
}

/** The query of a document's address. */
export function requestQuery({ session, request, form }: RequestAddress): string {
  return JSON.stringify([session, request, form]);
}

/** Absent for an address that is none of ours: anybody may write one. */
export function requestAddress(query: string): RequestAddress | undefined {
  try {
    const value: unknown = JSON.parse(query);
    const [session, request, form] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return typeof session === 'string' && Number.isSafeInteger(request) && (form === 'text' || form === 'json')
      ? { session, request: Number(request), form }
      : undefined;
  } catch {
    return undefined;
  }
}
