/** The settings that the server reads; a test keeps them equal to the manifest's. */
export const SERVER_SETTINGS = [
  'sources',
  'check.exclude',
  'check.severities',
  'check.workspace',
  'index.maxFiles',
] as const;
