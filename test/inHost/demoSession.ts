import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT_FILES } from '../../adapter/demo/demoFiles.ts';
import { startGroup } from '../host/processGroup.ts';
import { inWorkspace, until } from './kit.ts';

/** The demo's own requests; what comes after them is its idle talk. */
export const SCRIPTED_REQUESTS = 11;

/** A real session in a folder of the workspace. */
export interface DemoSession {
  /** Body of a request as the model received it; from 1. */
  body(request: number): string;
  /** How many requests the model has received. */
  requests(): number;
  /** Waits until the model has received a request that fits. */
  untilRequest(what: string, fits: (body: string, request: number) => boolean): Promise<number>;
  /** Ends the agent; its folder stays. */
  stop(): Promise<void>;
  /** Ends the agent and removes its folder. */
  remove(): Promise<void>;
}

/** Starts the demo in a folder of the workspace, as a person would in a terminal; the extension is told nothing. */
export function startDemo(folder: string): DemoSession {
  const repository = process.env['CONTEXT_LIFECYCLE_REPOSITORY'];
  assert.ok(repository, 'the launcher says where the repository lies');
  const cwd = inWorkspace(folder).fsPath;
  for (const [file, text] of Object.entries(PROJECT_FILES)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const record = mkdtempSync(join(tmpdir(), 'context-lifecycle-record-'));
  const args = [join(repository, 'dist/cli.js'), 'demo', '--keep-open', '--pace', '20', '--record', record];
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const { stop } = startGroup(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const requests = (): number => readdirSync(record).length;
  const body = (request: number): string => readFileSync(join(record, `${request}.json`), 'utf8');
  return {
    body,
    requests,
    untilRequest: (what, fits) =>
      until(what, () => {
        for (let request = requests(); request > 0; request--) {
          if (fits(body(request), request)) return request;
        }
        return undefined;
      }),
    stop,
    async remove() {
      await stop();
      rmSync(record, { recursive: true, force: true });
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}
