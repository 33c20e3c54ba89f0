import { openSession } from '../../openSession.ts';
import { type ContextLifecycleMiddleware, type ContextLifecycleOptions, middleware } from './middleware.ts';

export type { ContextSource } from './contextSources.ts';
export type { ContextLifecycleMiddleware, ContextLifecycleOptions };

/** A middleware for the AI SDK's `wrapLanguageModel`: its requests obey the declarations and are logged. */
export function contextLifecycle<const Version extends 'v3' | 'v4' = 'v4'>(
  options: ContextLifecycleOptions<Version> = {},
): ContextLifecycleMiddleware<Version> {
  return middleware(options, openSession);
}
