/**
 * The names and addresses that are the same everywhere: manifest, server, command line and docs.
 * A test keeps package.json equal to these.
 */
export const product = {
  name: 'context-lifecycle',
  displayName: 'Context Lifecycle',
  version: '0.1.0',
  publisher: 'context-lifecycle',
  repository: 'https://github.com/context-lifecycle/context-lifecycle',
  /** Diagnostics link to `${diagnosticDocs}#<code>`. */
  diagnosticDocs: 'https://github.com/context-lifecycle/context-lifecycle/blob/main/docs/diagnostics.md',
} as const;
