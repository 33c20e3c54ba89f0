/**
 * The project that the demo works on: files of the sample, so that a session in the sample shows its own lines. A test keeps
 * them equal.
 */
export const PROJECT_FILES = {
  'AGENTS.md': `# Notes for agents

This is a small to-do service: TypeScript on Node's own HTTP server, no dependencies, everything in memory.

- Start it with \`npm start\`, test it with \`npm test\`.
- \`src/main.ts\` starts it, \`src/server.ts\` is the HTTP API, \`src/store.ts\` keeps the to-dos, \`src/todo.ts\` says what a to-do is.
- The API is described in [docs/architecture.md](docs/architecture.md).

The first block below stays in every request. The second one is only needed while a change is planned;
[start-coding](.github/prompts/start-coding.prompt.md) takes it away again.

<!--BLOCK_ID:house-rules-->
## House rules

- No dependencies: Node's standard library is enough for this service.
- Every route has a test in \`test/\`; run \`npm test\` before you say that you are done.
- A store method returns \`undefined\` for a to-do that does not exist. It never throws for that.
- Error bodies are \`{ "error": "…" }\` with a short English sentence.
<!--/BLOCK_ID:house-rules-->

<!--BLOCK_ID:planning-->
## While we plan

1. Read the route that changes and its test before you propose anything.
2. Write down what the request and the answer look like, with status codes.
3. Ask when a change would break a client that uses the API today.
<!--/BLOCK_ID:planning-->
`,
  'api.context.md': `# The HTTP API, for agents that change it

<!--BLOCK_ID:http-api-->
| Request | Answer |
| --- | --- |
| \`GET /todos\` | 200 and the list |
| \`POST /todos\` with \`{ "title": "…" }\` | 201 and the new to-do, 400 without a title |
| \`PATCH /todos/:id\` | 200 and the finished to-do, 404 |
| \`DELETE /todos/:id\` | 204, 404 |

A title has 200 characters at most. A request body has 10,000 characters at most.
<!--/BLOCK_ID:http-api-->

<!--BLOCK_ID:http-api_error-style-->
An error body is one JSON object with the key \`error\`. No stack trace ever leaves the service.
<!--/BLOCK_ID:http-api_error-style-->
`,
  '.github/copilot-instructions.md': `# Copilot

Read \`AGENTS.md\` in the root of the repository first.

Somebody copied the rules over once. \`AGENTS.md\` is loaded first, so its block wins and this copy does nothing.

<!--BLOCK_ID:house-rules-->
- No dependencies.
- Every route has a test.
<!--/BLOCK_ID:house-rules-->
`,
  '.claude/skills/release/SKILL.md': `---
name: release
description: Make a release of the to-do service. Use when somebody asks to release, tag or publish a version.
---

# Make a release

Follow the steps in order. [released](../../../.github/prompts/released.prompt.md) drops them when the tag is pushed.

<!--BLOCK_ID:release-steps-->
1. \`npm test\` is green on a clean checkout.
2. Raise \`version\` in \`package.json\`: the third number for fixes, the second for new routes.
3. Commit as \`Release x.y.z\` and tag it \`vx.y.z\`.
4. Push the commit and the tag together.
<!--/BLOCK_ID:release-steps-->
`,
  '.github/prompts/start-coding.prompt.md': `---
description: The plan is agreed, start to write code
---

The plan is agreed. Write the test first, then the code, then run \`npm test\`.

The planning rules are not needed from here on:

<!--DISCARD_BLOCK:planning-->
`,
  '.github/prompts/released.prompt.md': `---
description: The release is out, drop the release steps
---

The tag is pushed. Say which version is out, in one line.

The steps of the release are not needed from here on:

<!--DISCARD_BLOCK:release-steps-->
`,
  'docs/reports/load-test.md': `<!--ephemeral-->
# Load test of 12 November

An agent needs these numbers once, to answer the question of the day. The line above lets them go after the next answer.

| Clients | Requests a second | Median | 99th percentile | Errors |
| ---: | ---: | ---: | ---: | ---: |
| 1 | 4,812 | 0.2 ms | 0.6 ms | 0 |
| 10 | 19,377 | 0.5 ms | 1.4 ms | 0 |
| 100 | 21,040 | 4.6 ms | 11.8 ms | 0 |
| 500 | 20,655 | 23.9 ms | 64.2 ms | 0 |
| 1,000 | 20,102 | 48.7 ms | 131.5 ms | 3 |

Machine: 4 cores, Node 24, client and service on the same host. The three errors are refused connections at the start.
`,
  'src/todo.ts': `/** One thing to do. */
export interface Todo {
  readonly id: number;
  readonly title: string;
  readonly done: boolean;
}

/** The longest title that the service stores. */
export const MAX_TITLE_LENGTH = 200;

/** Reads a title from a request body; undefined when there is none that can be stored. */
export function readTitle(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('title' in body)) {
    return undefined;
  }
  const { title } = body;
  const text = typeof title === 'string' ? title.trim() : '';
  return text !== '' && text.length <= MAX_TITLE_LENGTH ? text : undefined;
}
`,
} as const;

export type ProjectFile = keyof typeof PROJECT_FILES;

/** What a person keeps for all projects; agents load it before what a project brings along. */
export const USER_FILE = `# My own notes for agents

<!--BLOCK_ID:my-style-->
Answer in short sentences. Say what you did, then what is left to do.
<!--/BLOCK_ID:my-style-->
`;
