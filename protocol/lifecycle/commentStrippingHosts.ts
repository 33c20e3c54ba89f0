import { AGENT_PROFILES, type StrippedComments } from './agentProfiles.ts';

/** An agent that takes HTML comments out of a file before the model, or any plug-in, sees it. */
export interface CommentStrippingHost extends StrippedComments {
  /** Its name for people. */
  readonly agent: string;
}

/** Those that are known: measured by running each agent with a scripted model. */
export const COMMENT_STRIPPING_HOSTS: readonly CommentStrippingHost[] = AGENT_PROFILES.flatMap(({ name, comments }) =>
  comments ? [{ agent: name, ...comments }] : [],
);

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
