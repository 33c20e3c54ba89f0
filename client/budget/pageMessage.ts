import type { PageMessage } from './page/pageData.ts';

/** What a page asks for; absent where it is none of what it may ask. */
export function pageMessage(message: unknown): PageMessage | undefined {
  if (typeof message !== 'object' || message === null) {
    return undefined;
  }
  const { type, request } = message as { readonly type?: unknown; readonly request?: unknown };
  switch (type) {
    case 'ready':
    case 'back':
      return { type };
    case 'open':
      return Number.isSafeInteger(request) && Number(request) >= 1 ? { type, request: Number(request) } : undefined;
    default:
      return undefined;
  }
}
