/**
 * Language identifiers of documents that we look at. Decided by language alone, never by file extension
 * (editor-bugs 46). `prompt`, `instructions`, `chatagent` and `skill` are VS Code's own names for agents' files.
 */
export const LANGUAGE_IDS = ['markdown', 'prompt', 'instructions', 'chatagent', 'skill', 'context-markdown'] as const;

/** URI schemes of documents that we look at. All others, `git` and other sides of a diff above all, stay untouched. */
export const DOCUMENT_SCHEMES = [
  // Files on this machine, or on the remote machine that the server runs on.
  'file',
  // New files that were never saved.
  'untitled',
  // Repositories that are opened without a checkout (github.dev, vscode.dev).
  'vscode-vfs',
  // One cell of a notebook; each cell is a document of its own.
  'vscode-notebook-cell',
  // A remote workspace seen from a browser's extension host.
  'vscode-remote',
  // Prompts and instructions in the user's profile.
  'vscode-userdata',
  // The test server for web extensions.
  'vscode-test-web',
] as const;
