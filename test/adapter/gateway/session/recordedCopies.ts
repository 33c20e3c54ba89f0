/**
 * How agents showed these very files in their requests, recorded with a model on loopback and shortened around them:
 * Claude Code 2.1.332 and Codex 0.171.0 from runs of our own, the others as specs/agents.md has them.
 */

/** What stood in the project's CLAUDE.md. */
export const CLAUDE_MD = `# Project rules

Intro line.

<!--BLOCK_ID:alpha-->
Alpha body one.

Alpha body two.
<!--/BLOCK_ID:alpha-->

Middle text.
@extra.md

\`\`\`
<!--BLOCK_ID:fenced-->
in fence
<!--/BLOCK_ID:fenced-->
\`\`\`
Inline <!-- keep --> comment.
<!--BLOCK_ID:glued-->
- item one
- item two
<!--/BLOCK_ID:glued-->
Last line.   



After blanks.

<!-- ordinary
multiline -->
End.

`;

/** What it imports. */
export const EXTRA_MD = 'Extra text.\n<!--BLOCK_ID:extra-->\nExtra body.\n<!--/BLOCK_ID:extra-->\nextra end\n';

/** The person's own, for all projects. */
export const USER_MD = 'User memory.\n<!--BLOCK_ID:mine-->\nUser body.\n<!--/BLOCK_ID:mine-->\n';

export const RULE_MD =
  '---\ndescription: some rule\n---\nRule text.\n<!--BLOCK_ID:rule-->\nRule body.\n<!--/BLOCK_ID:rule-->\n';

export const SKILL_MD =
  '---\nname: demo\ndescription: A demo skill\n---\n\nSkill text.\n<!--BLOCK_ID:skilled-->\nSkill body.\n<!--/BLOCK_ID:skilled-->\nSkill end.\n';

export interface ClaudePaths {
  readonly user: string;
  readonly project: string;
  readonly extra: string;
  readonly rule: string;
}

/** Claude Code: the second text of the first message. */
export function claudeMemory({ user, project, extra, rule }: ClaudePaths): string {
  return `<system-reminder>\nCodebase and user instructions are shown below. Be sure to adhere to these instructions. IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them exactly as written.\n\nContents of ${user} (user's private global instructions for all projects):\n\nUser memory.\nUser body.\n\nContents of ${project} (project instructions, checked into the codebase):\n\n# Project rules\n\nIntro line.\n\nAlpha body one.\n\nAlpha body two.\nMiddle text.\n@extra.md\n\n\`\`\`\n<!--BLOCK_ID:fenced-->\nin fence\n<!--/BLOCK_ID:fenced-->\n\`\`\`\nInline <!-- keep --> comment.\n- item one\n- item two\nLast line.   \n\n\n\nAfter blanks.\n\nEnd.\n\nContents of ${extra} (project instructions, checked into the codebase):\n\nExtra text.\nExtra body.\nextra end\n\nContents of ${rule} (project instructions, checked into the codebase):\n\nRule text.\nRule body.\n</system-reminder>`;
}

/** What is left of it without the definitions. */
export function claudeMemoryCut({ user, project, extra, rule }: ClaudePaths): string {
  return `<system-reminder>\nCodebase and user instructions are shown below. Be sure to adhere to these instructions. IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them exactly as written.\n\nContents of ${user} (user's private global instructions for all projects):\n\nUser memory.\n\nContents of ${project} (project instructions, checked into the codebase):\n\n# Project rules\n\nIntro line.\n\nMiddle text.\n@extra.md\n\n\`\`\`\n\`\`\`\nInline <!-- keep --> comment.\nLast line.   \n\n\n\nAfter blanks.\n\nEnd.\n\nContents of ${extra} (project instructions, checked into the codebase):\n\nExtra text.\nextra end\n\nContents of ${rule} (project instructions, checked into the codebase):\n\nRule text.\n</system-reminder>`;
}

/** Claude Code: a text beside the result of the Skill tool; the front matter is left out. */
export const CLAUDE_SKILL =
  'Base directory for this skill: /project/.claude/skills/demo\n\nSkill text.\n<!--BLOCK_ID:skilled-->\nSkill body.\n<!--/BLOCK_ID:skilled-->\nSkill end.\n';

/** What the Read tool of Claude Code gave back of the same file's start. */
export const CLAUDE_READ =
  '1\t# Project rules\n2\t\n3\tIntro line.\n4\t\n5\t<!--BLOCK_ID:alpha-->\n6\tAlpha body one.\n7\t\n8\tAlpha body two.\n9\t<!--/BLOCK_ID:alpha-->\n';

export const HOME_AGENTS_MD = 'Home agents.\n<!--BLOCK_ID:homeb-->\nHome body.\n<!--/BLOCK_ID:homeb-->\n';
export const AGENTS_MD = '# Agents\n\n<!--BLOCK_ID:alpha-->\nAlpha body.\n<!--/BLOCK_ID:alpha-->\nTail.\n\n';

/** Codex: an item of role user. */
export const CODEX_AGENTS =
  '# AGENTS.md instructions for /project\n\n<INSTRUCTIONS>\nHome agents.\n<!--BLOCK_ID:homeb-->\nHome body.\n<!--/BLOCK_ID:homeb-->\n\n--- project-doc ---\n\n# Agents\n\n<!--BLOCK_ID:alpha-->\nAlpha body.\n<!--/BLOCK_ID:alpha-->\nTail.\n\n\n</INSTRUCTIONS>';
