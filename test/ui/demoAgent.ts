import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { inRepository } from '../../scripts/build/paths.ts';
import { startGroup } from '../host/processGroup.ts';
import { makeTemporaryFolder } from '../host/profile.ts';

/** The demo's own requests; what comes after them is its idle talk. */
export const SCRIPTED_REQUESTS = 11;

const deadlineMilliseconds = 30_000;
/** A recorded body is a file that nobody announces. */
const lookMilliseconds = 50;

/** A real session with a scripted model. */
export interface DemoAgent {
  /** Body of a request as the model received it, when it has; from 1. */
  untilRequest(request: number): Promise<string>;
  requests(): number;
  /** Ends the agent. */
  stop(): Promise<void>;
}

/** Starts the demo in a project, as a person would in a terminal; its session can be found below `home`. */
export function startDemoAgent(project: string, home: string): DemoAgent {
  const record = makeTemporaryFolder('record');
  const { stop } = startGroup(
    process.execPath,
    [inRepository('dist/cli.js'), 'demo', '--keep-open', '--pace', '20', '--record', record],
    { cwd: project, env: { ...process.env, CONTEXT_LIFECYCLE_HOME: home }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const requests = (): number => readdirSync(record).length;
  return {
    requests,
    stop,
    async untilRequest(request) {
      const deadline = Date.now() + deadlineMilliseconds;
      while (requests() < request) {
        if (Date.now() > deadline)
          throw new Error(`Request ${request} was not sent within ${deadlineMilliseconds} ms.`);
        await setTimeout(lookMilliseconds);
      }
      return readFileSync(`${record}/${request}.json`, 'utf8');
    },
  };
}
