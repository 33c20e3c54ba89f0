import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Folders } from '../../local/folders.ts';
import { product } from '../../protocol/product.ts';
import { openSession } from '../openSession.ts';
import type { Session } from '../sessionTypes.ts';
import { DemoAgent } from './demoAgent.ts';
import type { ProjectFile } from './demoFiles.ts';
import { type DemoProject, demoProject } from './demoProject.ts';
import { demoScript } from './demoScript.ts';
import type { DemoTeller } from './demoTeller.ts';
import { ScriptedModel } from './scriptedModel.ts';

export interface DemoOptions {
  readonly cwd: string;
  readonly folders: Folders;
  readonly teller: DemoTeller;
  /** Milliseconds between two things that happen; 0 for as fast as possible. */
  readonly pace: number;
  /** Where the bodies go that the model receives. */
  readonly record?: string;
  /** The session goes on with small turns until `signal` ends it. */
  readonly keepOpen: boolean;
  readonly signal: AbortSignal;
}

/** What the demo leaves behind. */
export interface DemoResult {
  readonly sessionId: string;
  readonly logFile: string;
  readonly requests: number;
}

/** An idle session asks the model about once in so many things that happen, and never more often than this. */
const IDLE_PACES = 8;
const SHORTEST_IDLE_MS = 2_000;

/**
 * A coding session, from the first source to the last request, through the adapter that real agents use: only the model and the
 * tools are scripted. Rejects with what the session rejects with; `signal` ends it early, and closes the session.
 */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const { cwd, folders, teller, pace, signal } = options;
  const project = demoProject(cwd, join(dirname(folders.sessions), 'demo'));
  teller.begin(project);
  const model = new ScriptedModel(demoScript(), options.record);
  const agent = new DemoAgent({ model, project, teller, pace, signal });
  const sessionId = randomBytes(6).toString('hex');
  const open = (hasHistory: boolean): Promise<Session> => openDemoSession({ sessionId, project, teller, hasHistory });
  let session = await open(false);
  try {
    await planAndCode(agent, session, project, teller);
    teller.chapter(
      'The agent is closed and started again',
      'The same session id goes on with the same log: nothing is forgotten, nothing comes back.',
    );
    await session.close('the agent was closed');
    session = await open(true);
    await release(agent, session, project, teller);
    await idle(options, agent, session);
    await session.close('the demo is over');
  } catch (error) {
    await session.close('stopped');
    if (!signal.aborted) {
      throw error;
    }
  }
  const { id, logFile, state } = session;
  return { sessionId: id, logFile, requests: state.requests.length };
}

async function openDemoSession(demo: {
  readonly sessionId: string;
  readonly project: DemoProject;
  readonly teller: DemoTeller;
  readonly hasHistory: boolean;
}): Promise<Session> {
  const { sessionId, project, teller, hasHistory } = demo;
  const session = await openSession({
    agent: 'demo',
    agentVersion: product.version,
    sessionId,
    hostSession: sessionId,
    cwd: project.folder,
    hasHistory,
  });
  session.onEvent(event => teller.event(event));
  session.contributePrefix(() => [
    { role: 'user', content: [{ type: 'text', text: `The project lies in ${project.folder}.` }] },
  ]);
  return session;
}

async function planAndCode(
  agent: DemoAgent,
  session: Session,
  project: DemoProject,
  teller: DemoTeller,
): Promise<void> {
  teller.chapter(
    'Sources are loaded',
    'Yours come first. The first definition of a block counts, so a repository cannot take one over.',
  );
  await loadSources(agent, session, project);
  teller.chapter('Planning', 'The load test begins with an ephemeral line: it goes to the model whole, once.');
  await agent.turn(session, 'To-dos need a due date. Plan it first.');
  teller.chapter(
    'Coding',
    'The plan is agreed, so the workflow discards the block planning: it is absent from the next request on.',
  );
  await runPrompt(agent, session, project, '.github/prompts/start-coding.prompt.md');
  await agent.turn(session, 'The plan is agreed. Write the test first, then the code, then run npm test.');
}

async function release(agent: DemoAgent, session: Session, project: DemoProject, teller: DemoTeller): Promise<void> {
  await loadSources(agent, session, project);
  teller.chapter('Releasing', 'A skill brings the steps of a release along, and they leave when the release is out.');
  const skill = '.claude/skills/release/SKILL.md';
  await agent.load(session, project.path(skill), project.read(skill));
  await agent.turn(session, 'Release it.');
  await runPrompt(agent, session, project, '.github/prompts/released.prompt.md');
  await agent.turn(session, 'What is the state of things?');
}

async function runPrompt(agent: DemoAgent, session: Session, project: DemoProject, file: ProjectFile): Promise<void> {
  await agent.workflow(session, project.path(file), project.read(file));
}

async function loadSources(agent: DemoAgent, session: Session, project: DemoProject): Promise<void> {
  await agent.load(session, project.userFile, project.readUserFile());
  for (const file of ['AGENTS.md', 'api.context.md', '.github/copilot-instructions.md'] as const) {
    await agent.load(session, project.path(file), project.read(file));
  }
}

async function idle(
  { keepOpen, pace, teller, signal }: DemoOptions,
  agent: DemoAgent,
  session: Session,
): Promise<void> {
  if (!keepOpen) {
    return;
  }
  teller.chapter(
    'The session stays open',
    'Now and then somebody asks how the service is doing. Press Ctrl-C to stop.',
  );
  for (;;) {
    await setTimeout(Math.max(SHORTEST_IDLE_MS, pace * IDLE_PACES), undefined, { signal });
    await agent.turn(session, 'How is the service doing?');
  }
}
