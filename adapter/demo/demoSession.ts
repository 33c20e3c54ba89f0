import { randomBytes } from 'node:crypto';
import type { BudgetSettings } from '../../local/budgetSettings.ts';
import { product } from '../../protocol/product.ts';
import { openSession } from '../openSession.ts';
import type { Session } from '../sessionTypes.ts';
import type { DemoAgent } from './demoAgent.ts';
import type { DemoProject } from './demoProject.ts';
import type { DemoTeller } from './demoTeller.ts';

/** Opens the demo's session, each time with the same log. */
export type OpenDemoSession = (hasHistory: boolean) => Promise<Session>;

/** A new session's name, and the way to open it. The budget layer is on, whatever else its settings say. */
export function demoSession(project: DemoProject, teller: DemoTeller, budget: BudgetSettings): OpenDemoSession {
  const sessionId = randomBytes(6).toString('hex');
  return async hasHistory => {
    const session = await openSession({
      agent: 'demo',
      agentVersion: product.version,
      sessionId,
      hostSession: sessionId,
      cwd: project.folder,
      hasHistory,
      config: { budget: { ...budget, enabled: true } },
    });
    session.onEvent(event => teller.event(event));
    session.contributePrefix(() => [
      { role: 'user', content: [{ type: 'text', text: `The project lies in ${project.folder}.` }] },
    ]);
    return session;
  };
}

/** Loads the files that the agent shows its model as instructions. */
export async function loadSources(agent: DemoAgent, session: Session, project: DemoProject): Promise<void> {
  await agent.load(session, project.userFile, project.readUserFile());
  for (const file of ['AGENTS.md', 'api.context.md', '.github/copilot-instructions.md'] as const) {
    await agent.load(session, project.path(file), project.read(file));
  }
}
