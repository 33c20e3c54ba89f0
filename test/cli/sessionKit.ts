import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSession } from '../../adapter/openSession.ts';
import type { RequestInput, Session, SessionOptions } from '../../adapter/sessionTypes.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { block, folderOf, type Run, run } from './cliKit.ts';

/** A new home for sessions, and a folder to work in. */
export interface Home {
  readonly home: string;
  readonly cwd: string;
  /** Runs the command there. */
  cli(...args: readonly string[]): Promise<Run>;
  open(options?: Partial<SessionOptions>): Promise<Session>;
}

export function homeOf(t: TestContext, files: Readonly<Record<string, string>> = {}): Home {
  const sessions: Session[] = [];
  // Before the folders go: hooks run in the order in which they were added.
  t.after(() => Promise.all(sessions.map(session => session.close())));
  const cwd = folderOf(t, files);
  const home = join(folderOf(t, {}), 'home');
  return {
    home,
    cwd,
    cli: (...args) => run(args, { cwd, env: { CONTEXT_LIFECYCLE_HOME: home, HOME: cwd, TZ: 'UTC' } }),
    open: async options => {
      const config = { announce: false, countTokens: false };
      const session = await openSession({ agent: 'test', folder: home, cwd: realpathSync(cwd), config, ...options });
      sessions.push(session);
      return session;
    },
  };
}

export function text(role: 'user' | 'assistant', content: string): JsonObject {
  return { role, content: [{ type: 'text', text: content }] };
}

export function call(id: string): JsonObject {
  return { role: 'assistant', content: [{ type: 'tool-call', id, name: 'bash', arguments: '{}' }] };
}

export function result(id: string, content: string): JsonObject {
  const block = { type: 'tool-result', toolCallId: id, toolName: 'bash', content: [{ type: 'text', text: content }] };
  return { role: 'user', content: [{ ...block, isError: false }] };
}

export const INPUT = {
  config: { model: 'm' },
  system: 'Be brief.\nBe right.',
  tools: [{ name: 'bash', description: 'Runs a command.' }],
} as const satisfies Partial<RequestInput>;

/** Builds a request and answers it; gives its exact text. */
export async function ask(session: Session, input: RequestInput): Promise<string> {
  const { config, system, tools, messages, requestSequence } = await session.buildRequest(input);
  session.response(requestSequence, { outcome: 'completed' });
  return JSON.stringify({ config, ...(system !== undefined && { system }), ...(tools && { tools }), messages });
}

export const OUTPUT = '<!--ephemeral-->\nline 1\nline 2\nline 3\n';

/**
 * Three requests: the second holds an ephemeral result whole, the third its tombstone and one block less. Gives the text of
 * each request.
 */
export async function threeRequests(session: Session): Promise<readonly string[]> {
  session.loadSource({
    source: join(session.state.opened?.agent ?? '', 'AGENTS.md'),
    class: 'context-file',
    text: block('rules', 'Be kind.\n') + block('plan', 'Plan first.\n'),
  });
  const start = [text('user', 'Look around.')];
  const looked = [...start, call('c1'), result('c1', OUTPUT)];
  const first = await ask(session, { ...INPUT, messages: start });
  const second = await ask(session, { ...INPUT, messages: looked });
  session.control({ source: 'workflow', class: 'host-workflow', text: '<!--DISCARD_BLOCK:plan-->\n' });
  const messages = [...looked, text('assistant', 'Seen.'), text('user', 'Go on.')];
  const third = await ask(session, { ...INPUT, messages });
  return [first, second, third];
}
