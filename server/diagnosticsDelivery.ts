import type { OpenDocument } from './document.ts';

/** How diagnostics reach the client: by being published, or by being asked for. */
export interface DiagnosticsDelivery {
  /** A document was opened, or its text has changed. */
  textChanged(): void;
  /** Settings, folders or files that are not open have changed. */
  worldChanged(): void;
  /** A document was closed, or is no longer ours to look at (editor-bugs 16, 17). */
  closed(document: OpenDocument): void;
}
