import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { itemSpans, memberSpans, spaceEnd } from '../../../../adapter/gateway/body/jsonSpans.ts';
import { GatewaySessions } from '../../../../adapter/gateway/session/gatewaySessions.ts';
import { SessionCalls } from '../../../../adapter/gateway/session/sessionCalls.ts';
import { REAL_TIMERS } from '../../../../adapter/gateway/session/sessionPool.ts';
import { readLog } from '../../../../local/logFile.ts';
import { logName, logPath } from '../../../../local/openLog.ts';
import { RequestHistory } from '../../../../protocol/request/requestHistory.ts';
import { layerOn, WORDS } from '../../budget/budgetLayerKit.ts';
import { foldOf, homeOf } from '../../session/sessionKit.ts';
import { ALL } from '../apis/apisKit.ts';
import { DIALECTS, type Dialect } from '../session/dialects.ts';
import { choices, oddJson } from '../session/oddJson.ts';
import { conversation, messagesIn, RULE, type Said } from './transcripts.ts';
import { assertWellFormed, messagesOf } from './wellFormed.ts';

const LIST: Readonly<Record<Dialect['name'], string>> = {
  'anthropic-messages': 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
};

/** Seed 3, rule 4: no edit takes these. */
const KEPT = 20;

/** Texts of the items of a body's list of messages, as they stand there. */
function itemTexts(dialect: Dialect, body: string): readonly string[] {
  const list = memberSpans(body, spaceEnd(body, 0)).spans.get(LIST[dialect.name]);
  assert.ok(list);
  const { places } = itemSpans(body, list.start);
  return places.flatMap((start, index) => (index % 2 === 0 ? body.slice(start, places[index + 1]) : []));
}

function wholeAnswer(dialect: Dialect): Buffer {
  const model = ALL.find(({ api }) => api.name === dialect.name)?.model;
  assert.ok(model);
  return Buffer.from(model.whole({ text: 'done' }, { model: 'm', number: 1 }));
}

/** One in which history is compressed, and one in which that is not enough. */
const WINDOWS = { wide: 700, tight: 250 } as const;

for (const [dialect, width] of DIALECTS.flatMap(each => [[each, 'wide'] as const, [each, 'tight'] as const])) {
  test(`law: with the layer on, each body of ${dialect.name} (${width} window) is one that its API takes, of the agent's own characters, and the log gives it back`, async t => {
    const folder = homeOf(t);
    const sessions = new GatewaySessions({
      folder,
      sources: [],
      cwd: folder,
      hasHook: false,
      timers: REAL_TIMERS,
      mostSessions: 4,
      idle: 1_000_000,
      tell: sentence => assert.match(sentence, /Context Lifecycle|tokens/),
      counter: WORDS,
      config: { announce: false, countTokens: true, crossCheck: true, budget: layerOn({ window: WINDOWS[width] }) },
    });
    const calls = new SessionCalls({ sessions, onFailure: 'refuse' });
    t.after(() => calls.close());
    const [path = ''] = dialect.path.split('?');
    const answer = wholeAnswer(dialect);
    let run = 0;
    let compressions = 0;
    let emergencies = 0;
    await fc.assert(
      fc.asyncProperty(fc.noBias(conversation), choices, async (said, next) => {
        const session = `law-${run++}`;
        const sent: string[] = [];
        for (const so of askedIn(said)) {
          const own = messagesIn(dialect, so);
          const text = oddJson(dialect.body([], { [LIST[dialect.name]]: own }), next);
          const prepared = await calls.prepare({
            method: 'POST',
            provider: dialect.provider,
            path,
            sessionName: session,
            headers: dialect.headers(session),
            body: Buffer.from(text),
            signal: new AbortController().signal,
          });
          if (prepared.kind === 'refuse' && width === 'tight') {
            assert.match(prepared.sentence, /^Request \d+ was not sent, because it takes .+ and the limit is 225 /);
            continue;
          }
          assert.ok(prepared.kind === 'send', JSON.stringify(prepared));
          const body = prepared.body === undefined ? text : Buffer.from(prepared.body).toString();
          prepared.sent.left(createHash('sha256').update(body).digest('hex'));
          prepared.sent.head({ status: 200, headers: { 'content-type': 'application/json' } });
          prepared.sent.piece(answer);
          prepared.sent.end('whole');
          sent.push(body);
          assertWellFormed(dialect, messagesOf(body));
          const received = itemTexts(dialect, text);
          const left = itemTexts(dialect, body);
          assert.deepEqual(left.slice(-KEPT), received.slice(-KEPT).slice(-left.length), 'the newest messages');
          let at = 0;
          const kept = left.filter(item => {
            const place = received.indexOf(item, at);
            at = place < 0 ? at : place + 1;
            return place >= 0;
          });
          const others = left.filter(item => !kept.includes(item));
          assert.ok(
            others.every(item => /"role":"user"/.test(item)),
            'what is none of the agent’s is a user’s message',
          );
          assert.ok(prepared.body !== undefined || others.length === 0);
          // In an emergency, the last thing that goes is a summary that quotes one.
          for (const [rule] of width === 'tight' ? [] : JSON.stringify(own).matchAll(new RegExp(`${RULE} \\d+`, 'g'))) {
            assert.ok(JSON.stringify(messagesOf(body)).includes(rule), rule);
          }
        }
        const { events } = await readLog(logPath(join(folder, 'sessions'), logName(dialect.agent, session)));
        const history = new RequestHistory();
        events.forEach(event => history.append(event));
        assert.deepEqual(
          sent.map((_, place) => history.bodyText(place + 1)),
          sent,
        );
        const { budget, requests } = foldOf(events);
        assert.ok(requests.toArray().every(({ receipt }) => receipt?.result === 'matched'));
        compressions += budget.compressions;
        emergencies += budget.passes.toArray().filter(({ kind }) => kind === 'emergency').length;
      }),
      { numRuns: 4, endOnFailure: true },
    );
    t.diagnostic(`${compressions} passes, ${emergencies} of them for the limit`);
    assert.ok(width === 'wide' ? compressions > 0 : emergencies > 0, 'there was something to edit');
  });
}

/** The conversation as it stands at each request: a model is asked where a person or a tool has just spoken. */
function askedIn(said: readonly Said[]): readonly (readonly Said[])[] {
  return said.flatMap((one, at) => ('user' in one || one.results.length > 0 ? [said.slice(0, at + 1)] : []));
}
