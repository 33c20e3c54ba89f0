/** What `package.json` says to npm; everything else in it is for VS Code or for this repository. */
const publishedFields = [
  'name',
  'version',
  'description',
  'keywords',
  'homepage',
  'bugs',
  'repository',
  'license',
  'author',
  'type',
  'exports',
  'bin',
] as const;

/**
 * The manifest of the npm package. The repository's own would make every user install the optional Node of the tools
 * (190 MB), and its `main`, `browser` and `contributes` name files that only the .vsix holds. `private` stays behind too.
 * Texts such as `%extension.description%` are replaced from package.nls.json.
 */
export function npmManifest(manifest: Manifest, texts: Readonly<Record<string, string>>): Manifest {
  const published: Record<string, unknown> = {};
  for (const field of publishedFields) {
    const value = manifest[field];
    if (value !== undefined) published[field] = typeof value === 'string' ? translated(value, texts) : value;
  }
  const engines = manifest['engines'] as Readonly<Record<string, string>>;
  return { ...published, engines: { node: engines['node'] } };
}

function translated(value: string, texts: Readonly<Record<string, string>>): string {
  const key = /^%(.+)%$/.exec(value)?.[1];
  if (key === undefined) return value;
  const text = texts[key];
  if (text === undefined) throw new Error(`package.nls.json has no text for ${value}, which package.json uses.`);
  return text;
}

/** A parsed package.json. */
export type Manifest = Readonly<Record<string, unknown>>;
