import { dirname, join } from 'node:path';
import { DEFAULT_BUDGET } from '../../../local/budgetSettings.ts';
import type { UsageReport } from '../../../protocol/budget/usageReport.ts';
import type { Session } from '../../sessionTypes.ts';
import { DemoAgent, type DemoModel } from '../demoAgent.ts';
import { idle } from '../demoIdle.ts';
import type { DemoOptions, DemoResult } from '../demoOptions.ts';
import { demoProject } from '../demoProject.ts';
import { demoScript } from '../demoScript.ts';
import { demoSession, loadSources } from '../demoSession.ts';
import { ScriptedModel } from '../scriptedModel.ts';
import { BRANCH, DEPENDENCIES, LAST_TURN, MIDWAY, NEW_BRANCH, STORY, TASK } from './budgetStory.ts';
import { runFeatureTool } from './featureTools.ts';

/** A window so small that a session of an hour does not fit. */
const MODEL: DemoModel = {
  config: { model: 'scripted-1', maxTokens: 1024, temperature: 0 },
  limits: { window: 12_000 },
};

/** Who sets the task and the constraints. */
const PERSON = { source: 'demo', class: 'user' } as const;

export interface BudgetDemoResult extends DemoResult {
  /** Of the last request; absent where none was sent. */
  readonly report?: UsageReport;
  /** What was to be kept, and stands in the last request to the character. */
  readonly constraints: { readonly kept: number; readonly all: number };
  /** The first request whose history was compressed; absent where none was sent. */
  readonly compressed?: number;
}

/**
 * A session of about 130 requests in a small window, so that its history is compressed again and again. Rejects and ends as
 * `runDemo` does.
 */
export async function runBudgetDemo(options: DemoOptions): Promise<BudgetDemoResult> {
  const { cwd, folders, teller, pace, signal } = options;
  const project = demoProject(cwd, join(dirname(folders.sessions), 'demo'));
  teller.begin(project);
  const script = [...STORY.flatMap(({ turns }) => turns), LAST_TURN].flatMap(({ lines }) => lines);
  const model = new ScriptedModel(demoScript(script), options.record);
  const agent = new DemoAgent({ model, kind: MODEL, runTool: runFeatureTool, project, teller, pace, signal });
  // Settings of the person would make it another story.
  const session = await demoSession(project, teller, DEFAULT_BUDGET)(false);
  /** What is to be kept, by its name. */
  const wanted = new Map<string, string>();
  try {
    teller.chapter(
      'Task and constraints are set',
      'They stand in the prefix of every request. The window has 12,000 tokens, and at 70 % of it history is compressed.',
    );
    session.setTier1({ objective: TASK, constraints: [BRANCH, DEPENDENCIES] }, PERSON);
    wanted.set('task', TASK).set(BRANCH.id, BRANCH.text).set(DEPENDENCIES.id, DEPENDENCIES.text);
    await loadSources(agent, session, project);
    for (const [index, { feature, turns }] of STORY.entries()) {
      teller.chapter(`${index + 1} of ${STORY.length}: ${feature.title}`, feature.rule);
      if (index === MIDWAY) {
        const prompt = '.github/prompts/start-coding.prompt.md';
        await agent.workflow(session, project.path(prompt), project.read(prompt));
        session.updateTier1(BRANCH.id, NEW_BRANCH, PERSON);
        wanted.set(BRANCH.id, NEW_BRANCH);
      }
      for (const { say } of turns) {
        await agent.turn(session, say);
      }
      if (feature.constraint !== undefined) {
        wanted.set(feature.field, feature.constraint);
      }
    }
    await agent.turn(session, LAST_TURN.say);
    await idle(options, agent, session);
    await session.close('the demo is over');
  } catch (error) {
    await session.close('stopped');
    if (!signal.aborted) {
      throw error;
    }
  }
  return resultOf(session, model.received, [...wanted.values()]);
}

function resultOf(session: Session, last: string, wanted: readonly string[]): BudgetDemoResult {
  const { id, logFile, state } = session;
  const report = session.usageReport();
  const compressed = [...state.budget.measures].find(({ edited }) => edited)?.requestSequence;
  const kept = wanted.filter(text => last.includes(JSON.stringify(text).slice(1, -1))).length;
  return {
    sessionId: id,
    logFile,
    requests: state.requests.length,
    constraints: { kept, all: wanted.length },
    ...(report && { report }),
    ...(compressed !== undefined && { compressed }),
  };
}
