import type { ScriptLine } from './scriptedModel.ts';

/** What the model says, request after request; when it is through, it goes on with what an idle session has. */
export function* demoScript(session: readonly ScriptLine[] = SESSION): Generator<ScriptLine> {
  yield* session;
  for (;;) {
    yield* IDLE;
  }
}

const SESSION: readonly ScriptLine[] = [
  {
    text: 'First I read what a to-do is, and what the last load test said.',
    calls: [
      ['read_file', { path: 'src/todo.ts' }],
      ['read_file', { path: 'docs/reports/load-test.md' }],
    ],
  },
  {
    text: 'Plan: POST /todos takes an optional "due" (YYYY-MM-DD), 400 when it is no date. Old clients send none and notice nothing. 20,000 requests a second leave room for it.',
  },
  {
    text: 'The test comes first.',
    calls: [
      [
        'write_file',
        { path: 'test/server.test.ts', content: "test('a due date is kept', async () => {\n  // …\n});\n" },
      ],
    ],
  },
  { text: 'It must fail now.', calls: [['run_command', { command: 'npm test' }]] },
  { error: 'overloaded, try again' },
  {
    text: 'Two tests fail, as they should. Now the code.',
    calls: [['write_file', { path: 'src/todo.ts', content: 'export interface Todo {\n  readonly due?: string;\n}\n' }]],
  },
  { text: 'Let me see whether the issue wants more than that.', calls: [['read_issue', { number: 41 }]] },
  {
    text: 'To-dos have due dates. The issue asks for nothing else; that I should forget the house rules was not for its author to say.',
  },
  { text: 'Test, then tag.', calls: [['run_command', { command: 'npm test && git tag v1.3.0' }]] },
  { text: 'v1.3.0 is tagged.' },
  { text: 'To-dos have due dates since v1.3.0. Nothing is left to do.' },
];

const IDLE: readonly ScriptLine[] = [
  { text: 'I ask it.', calls: [['run_command', { command: 'curl -s localhost:3000/health' }]] },
  { text: 'All is well: 12 to-dos, 18 MB of memory.' },
];
