import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { assertWellFormed, messagesOf } from '../../adapter/gateway/budget/wellFormed.ts';
import { DIALECTS } from '../../adapter/gateway/session/dialects.ts';
import { foldOf } from '../../adapter/session/sessionKit.ts';
import { printedReport, turnOnBudget, words } from '../budgetHome.ts';
import { dataOf } from '../sessionLogs.ts';
import { AgentHouse } from './agentHouse.ts';
import type { AgentProgram } from './agentPrograms.ts';
import { count } from './scenarios.ts';

const TASK = 'Give the to-do service due dates.';
const CONSTRAINT = 'Never change the file docs/api.md.';
/** Said in the talk, not in config.json. */
const SAID = 'You must always write the test first.';
const INSTRUCTIONS = 'Answer in the words of a sailor.';

/** A file that the agent shows, and what stands nowhere else. */
const part = (number: number): string => `part-${number}.txt`;
const thought = (number: number): string => `What is in file ${number}?`;
const mark = (number: number): string => `word${number}-249`;

export interface LongTalk {
  /** In tokens; the agent's own prompt takes about a third of it. */
  readonly window: number;
  /** Files that the agent shows, each in an answer of its own. */
  readonly files: number;
}

/** A long turn of a real agent with the layer on: what is old is compressed in what leaves, and nowhere else. */
export function proveBudget(agent: AgentProgram, { window, files }: LongTalk): void {
  const { contextFile } = agent;
  const dialect = DIALECTS.find(each => each.agent === agent.id) ?? assert.fail();

  test(`${agent.name} with the budget layer: old results go, every constraint and the newest messages stay, and each body left as its log rebuilds it`, async t => {
    const calls = Array.from({ length: files }, (_, at) => ({
      thinking: thought(at),
      ...agent.shows(`call_${at}`, part(at)),
    }));
    const script = [...calls.slice(0, 3), { text: 'Begun.' }, ...calls.slice(3), { text: 'All done.' }];
    // Gemini CLI shows no more than the beginning of a long line.
    const parts = calls.map((_, at) => [part(at), `${words(250, `word${at}`).replaceAll(' ', '\n')}\n`]);
    const house = await AgentHouse.open(t, agent, script, {
      files: { [contextFile]: `${INSTRUCTIONS}\n`, ...(Object.fromEntries(parts) as Record<string, string>) },
    });
    turnOnBudget(house.home.lifecycle, {
      window,
      models: [{ model: '*', window, outputReserve: 1_000 }],
      task: TASK,
      constraints: [{ id: 'docs', text: CONSTRAINT }],
    });
    const first = await house.ask(`Begin. ${SAID}`);
    assert.equal(first.stdout.trim(), 'Begun.', first.stderr);
    const second = await house.goOn('Go on with the rest.');
    assert.equal(second.stdout.trim(), 'All done.', second.stderr);

    const log = house.onlyLog();
    const { budget, requests } = foldOf(log.events);
    t.diagnostic(`${budget.compressions} compressions, ${requests.length} requests`);
    assert.ok(budget.compressions >= 1);
    assert.ok(
      budget.measures.toArray().every(({ total, limits }) => total.tokens <= limits.hard),
      'I4',
    );
    const asked = house.before.exchanges.filter(({ method }) => method === 'POST');
    assert.equal(house.model.requests.length, asked.length);
    for (const [place, { body }] of house.model.requests.entries()) {
      assertWellFormed(dialect, messagesOf(body));
      for (const text of [TASK, CONSTRAINT, SAID, INSTRUCTIONS]) {
        assert.ok(body.includes(text), `“${text}” in request ${place + 1}`);
      }
      const newest = (items: readonly JsonObject[]) => items.filter(({ role }) => role !== 'developer').slice(-20);
      const own = newest(messagesOf(asked[place]?.sent.toString() ?? ''));
      assert.deepEqual(newest(messagesOf(body)).slice(-own.length), own, 'the newest messages');
    }
    const last = house.model.requests.at(-1)?.body ?? '';
    assert.equal(count(mark(0), last), 0, 'what was compressed has left');
    assert.ok(last.includes(mark(files - 1)));
    const signature = (number: number): string => Buffer.from(thought(number)).toString('base64');
    assert.ok(
      last.includes(signature(files - 1)) && !last.includes(signature(0)),
      'what was thought goes with its answer',
    );
    assert.match(last, /Summary of earlier messages/);
    assert.ok(house.agent.transcripts(house.home).includes(mark(0)), 'and the agent keeps it');
    const history = new RequestHistory();
    log.events.forEach(event => history.append(event));
    for (const [place, { body }] of house.model.requests.entries()) {
      assert.ok(history.bodyText(place + 1) === body, `the body of request ${place + 1} is in the log`);
    }
    assert.deepEqual(
      dataOf(log, 'request/receipt').map(({ result, sha256 }) => [result, sha256]),
      house.model.requests.map(({ sha256 }) => ['matched', sha256]),
    );

    const { text } = usageReport(foldOf(log.events)) ?? assert.fail();
    assert.match(text, /Status: COMPRESSED/);
    assert.equal(await printedReport(house.home.lifecycle, log.header.id), text, 'T-39');
    assert.deepEqual(dataOf(log, 'session/problem'), []);
  });

  test(`${agent.name} with the budget layer: a request above the limit reaches no model, and is not asked again and again`, async t => {
    const house = await AgentHouse.open(t, agent, [{ text: 'must not be asked' }]);
    turnOnBudget(house.home.lifecycle, { models: [{ model: '*', window: 2_000, outputReserve: 100 }] });
    const run = await house.ask('go');
    assert.equal(house.model.requests.length, 0);
    assert.notEqual(run.exitCode, 0);
    const asked = house.before.exchanges.filter(({ method }) => method === 'POST');
    assert.ok(asked.length >= 1 && asked.length <= 4, `${asked.length} requests`);
    assert.ok(asked.every(({ status }) => status === 400));
    const [measured] = dataOf(house.onlyLog(), 'budget/measured');
    assert.equal(measured?.['gate'], 'blocked');
    t.diagnostic(`${asked.length} requests; ${run.stdout.trim()}`);
  });
}
