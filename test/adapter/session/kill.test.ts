import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readLog } from '../../../local/logFile.ts';
import { logName, logPath } from '../../../local/openLog.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { textOf } from '../../local/kit.ts';
import { checkedSession, dataOf, foldOf, homeOf } from './sessionKit.ts';

const PROGRAM = fileURLToPath(new URL('busyProgram.ts', import.meta.url));
const KILLS = 10;

/** Runs the busy session until it has announced so many events, and kills it then; what it announced. */
async function killedAfter(t: TestContext, folder: string, events: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM, folder, 'host-1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let seen = 0;
  child.stdout.on('data', (piece: Buffer) => {
    seen += piece.toString('utf8').split('\n').length - 1;
    if (seen >= events) {
      child.kill('SIGKILL');
    }
  });
  const output = await textOf(child.stdout);
  return output.split('\n').slice(0, -1);
}

test(`issue 3.4: after each of ${KILLS} kills the session goes on in its log, no announced event is missing, and every request is rebuilt`, async t => {
  const folder = homeOf(t);
  const path = logPath(`${folder}/sessions`, logName('test', 'host-1'));
  const announced: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    announced.push(...(await killedAfter(t, folder, 1 + ((kill * 37) % 150))));
    const { events, fault } = await readLog(path);
    assert.equal(fault, undefined);
    for (const line of announced) {
      const [seq = '', type] = line.split(' ');
      assert.equal(events[Number(seq)]?.type, type, `event ${seq}`);
    }
  }
  assert.ok(announced.length > KILLS * 10);

  const last = await checkedSession(t, { folder, sessionId: 'host-1' });
  assert.deepEqual([last.session.id, last.session.notices], ['host-1', []]);
  const { events } = await last.close();
  assert.equal(foldOf(events).instances, KILLS + 1);
  const history = new RequestHistory();
  events.forEach(event => history.append(event));
  const sealed = dataOf(events, 'request/sealed');
  assert.ok(sealed.length > KILLS);
  for (const { requestSequence, hash } of sealed) {
    const text = history.sealedText(requestSequence) ?? '';
    assert.equal(createHash('sha256').update(text).digest('hex'), hash, `request ${requestSequence}`);
  }
});
