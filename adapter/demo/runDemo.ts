import { dirname, join } from 'node:path';
import { readUserConfig } from '../../local/userConfig.ts';
import type { Session } from '../sessionTypes.ts';
import { DemoAgent, type DemoModel } from './demoAgent.ts';
import type { ProjectFile } from './demoFiles.ts';
import { idle } from './demoIdle.ts';
import type { DemoOptions, DemoResult } from './demoOptions.ts';
import { type DemoProject, demoProject } from './demoProject.ts';
import { demoScript } from './demoScript.ts';
import { demoSession, loadSources } from './demoSession.ts';
import type { DemoTeller } from './demoTeller.ts';
import { runTool } from './demoTools.ts';
import { ScriptedModel } from './scriptedModel.ts';

const MODEL: DemoModel = {
  config: { model: 'scripted-1', maxTokens: 4096, temperature: 0 },
  limits: { window: 200_000 },
};

/**
 * A coding session, from the first source to the last request, through the adapter that real agents use: only the model and the
 * tools are scripted. Rejects with what the session rejects with; `signal` ends it early, and closes the session.
 */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const { cwd, folders, teller, pace, signal } = options;
  const project = demoProject(cwd, join(dirname(folders.sessions), 'demo'));
  teller.begin(project);
  const model = new ScriptedModel(demoScript(), options.record);
  const agent = new DemoAgent({ model, kind: MODEL, runTool, project, teller, pace, signal });
  const open = demoSession(project, teller, readUserConfig(folders.configFile).config.budget);
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
