/** An agent that takes HTML comments out of a file before the model, or any plug-in, sees it. */
export interface CommentStrippingHost {
  readonly agent: string;
  /** The first version that does it. */
  readonly since: string;
  /** Which comments go, in words that end a sentence. */
  readonly stripped: string;
  /** The last parts of a path, with `/`; `*` stands for any file name. Matched at the end of a path. */
  readonly files: readonly string[];
}

/**
 * Measured by running each agent with a scripted model (Claude Code 2.1.197 and 2.1.332). Files that a CLAUDE.md pulls
 * in with `@path` lose their comments too, but their names say nothing, so they are not listed.
 */
export const COMMENT_STRIPPING_HOSTS: readonly CommentStrippingHost[] = [
  {
    agent: 'Claude Code',
    since: '2.1.72',
    stripped: 'comments that stand on lines of their own, outside fenced code',
    files: ['CLAUDE.md', 'CLAUDE.local.md', '.claude/rules/**/*.md'],
  },
];

/**
 * The agent that strips comments from the file, by the file's path or URI path (`/` or `\`), or undefined when none
 * is known to. Letter case counts, as it does for the agents.
 */
export function commentStrippingHost(path: string): CommentStrippingHost | undefined {
  const parts = path.split(/[/\\]/);
  return COMMENT_STRIPPING_HOSTS.find(({ files }) => files.some(pattern => matchesEnd(parts, pattern.split('/'))));
}

/** `**` stands for any number of folders and is only used once in a pattern. */
function matchesEnd(parts: readonly string[], pattern: readonly string[]): boolean {
  const star = pattern.indexOf('**');
  if (star < 0) {
    return endsWithParts(parts, pattern);
  }
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  for (let end = head.length; end <= parts.length - tail.length; end++) {
    if (endsWithParts(parts.slice(0, end), head) && endsWithParts(parts.slice(end), tail)) {
      return true;
    }
  }
  return false;
}

function endsWithParts(parts: readonly string[], pattern: readonly string[]): boolean {
  return (
    parts.length >= pattern.length &&
    pattern.every((name, index) => matchesName(parts[parts.length - pattern.length + index] ?? '', name))
  );
}

function matchesName(name: string, pattern: string): boolean {
  return pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern;
}
