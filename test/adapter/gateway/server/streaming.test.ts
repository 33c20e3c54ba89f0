import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTime } from '../../../server/deadline.ts';
import { FakeUpstream, Gate } from '../kit/fakeUpstream.ts';
import { startKit } from '../kit/gatewayKit.ts';
import { head } from '../kit/rawAgent.ts';

const STREAM = { 'content-type': 'text/event-stream' };

/** Posts and gives the answer as soon as its head is there. */
async function post(
  url: string,
  body: string | Buffer = '{}',
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const sending = httpRequest(url, { method: 'POST', headers });
  sending.on('error', () => {});
  sending.end(body);
  const [answer] = await inTime(once(sending, 'response'), 'the head of the answer');
  (answer as IncomingMessage).on('error', () => {});
  return answer as IncomingMessage;
}

test('gateway streaming: the upstream releases piece n+1 only after the agent has piece n', async t => {
  const gates = Array.from({ length: 10 }, (_, at) => new Gate(`the agent had piece ${at}`));
  const kit = await startKit(t, async (_, response) => {
    response.writeHead(200, STREAM);
    response.flushHeaders();
    for (const [at, gate] of gates.entries()) {
      await gate.wait();
      response.write(`data: ${at}\n\n`);
    }
    await nextTurn();
    response.end();
  });
  // The head comes before any piece.
  const answer = await post(kit.url('/v1/messages'));
  assert.equal(answer.headers['content-type'], 'text/event-stream');
  const ended = once(answer, 'end');
  for (const [at, gate] of gates.entries()) {
    gate.open();
    const [piece] = await inTime(once(answer, 'data'), `piece ${at}`);
    assert.equal(String(piece), `data: ${at}\n\n`);
    const [call] = kit.calls.sent;
    assert.equal(call?.pieces.length, at + 1, 'the session saw each piece no later than the agent');
    assert.ok(at === 9 || call?.ends.length === 0);
  }
  await inTime(ended, 'the end');
  const [call] = kit.calls.sent;
  assert.equal(await call?.ended(), 'whole');
  assert.equal(call?.heads[0]?.status, 200);
  assert.equal(call?.heads[0]?.headers['content-type'], 'text/event-stream');
});

test('gateway streaming: an agent that does not read makes the upstream stop, and memory stays bounded', async t => {
  const piece = Buffer.alloc(64 * 1_024, 'x');
  const total = 100_000_000;
  let written = 0;
  const stopped = new Gate('the upstream had to stop');
  const done = new Gate('the upstream had written all');
  const kit = await startKit(t, (_, response) => {
    response.writeHead(200, STREAM);
    const write = (): void => {
      while (written < total) {
        written += piece.length;
        if (!response.write(piece)) {
          stopped.open();
          response.once('drain', write);
          return;
        }
      }
      response.end();
      done.open();
    };
    write();
  });
  const answer = await post(kit.url('/v1/messages'));
  await stopped.wait();
  // Goes on for as long as anything moves: buffers of the system take some megabytes.
  for (let before = -1, still = 0; still < 200; still = before === written ? still + 1 : 0, before = written) {
    await nextTurn();
  }
  const [call] = kit.calls.sent;
  const passed = call?.pieces.reduce((sum, { length }) => sum + length, 0) ?? 0;
  assert.ok(written < total / 3, `${written} of ${total} bytes were written`);
  assert.ok(passed <= written);
  let read = 0;
  answer.on('data', (bytes: Buffer) => {
    read += bytes.length;
  });
  await inTime(once(answer, 'end'), 'the end');
  await done.wait();
  assert.equal(read, written);
});

test('gateway streaming: an upstream that does not read makes the agent stop, and a request that is none of ours is not kept', async t => {
  const reads = new Gate('the upstream was to read');
  let got = 0;
  const upstream = await FakeUpstream.bare(t, (request, response) => {
    void reads.wait().then(async () => {
      for await (const piece of request) {
        got += (piece as Buffer).length;
      }
      response.end('thanks');
    });
  });
  const kit = await startKit(t, upstream);
  const sending = httpRequest(kit.url('/v1/files'), { method: 'POST' });
  const piece = Buffer.alloc(64 * 1_024, 'y');
  const total = 60_000_000;
  let written = 0;
  const write = (): void => {
    while (written < total) {
      written += piece.length;
      if (!sending.write(piece)) {
        sending.once('drain', write);
        return;
      }
    }
    sending.end();
  };
  write();
  for (let before = -1, still = 0; still < 200; still = before === written ? still + 1 : 0, before = written) {
    await nextTurn();
  }
  assert.ok(written < total / 3, `${written} of ${total} bytes were taken`);
  reads.open();
  const [answer] = (await inTime(once(sending, 'response'), 'the answer')) as [IncomingMessage];
  answer.resume();
  await inTime(once(answer, 'end'), 'the end');
  assert.equal(got, written);
  assert.equal(kit.calls.seen.length, 0);
});

test('gateway streaming: an agent that goes away ends the request at the upstream', async t => {
  for (const started of [false, true]) {
    const upstreamSaw = new Gate('the upstream saw the agent go');
    const arrived = new Gate('the request had arrived');
    const kit = await startKit(t, (_, response) => {
      response.once('close', () => upstreamSaw.open());
      if (started) {
        response.writeHead(200, STREAM).write('data: 1\n\n');
      }
      arrived.open();
    });
    const sending = httpRequest(kit.url('/v1/messages'), { method: 'POST' });
    sending.on('error', () => {});
    sending.end('{}');
    await arrived.wait();
    if (started) {
      const [answer] = await inTime(once(sending, 'response'), 'the head');
      (answer as IncomingMessage).on('error', () => {});
      await inTime(once(answer, 'data'), 'the first piece');
    }
    sending.destroy();
    await upstreamSaw.wait();
    const [call] = kit.calls.sent;
    assert.equal(await call?.ended(), 'aborted');
    assert.deepEqual(call?.ends, ['aborted']);
  }
});

test('gateway streaming: an agent that goes away while its request is prepared is never sent on', async t => {
  const preparing = new Gate('it was being prepared');
  const goOn = new Gate('preparing was to go on');
  const kit = await startKit(t, (_, response) => void response.end('never'));
  kit.calls.prepareWith = async call => {
    const gone = once(call.signal, 'abort');
    preparing.open();
    await inTime(gone, 'the signal');
    goOn.open();
    return kit.calls.send();
  };
  const sending = httpRequest(kit.url('/v1/messages'), { method: 'POST' });
  sending.on('error', () => {});
  sending.end('{}');
  await preparing.wait();
  sending.destroy();
  await goOn.wait();
  await nextTurn();
  assert.equal(await kit.calls.sent[0]?.ended(), 'aborted');
  assert.equal(kit.upstream.requests.length, 0);
});

test("gateway streaming: agents.md trap: when the upstream dies mid-stream, the agent's socket is destroyed", async t => {
  const cuts: readonly ((response: ServerResponse) => void)[] = [
    response => response.writeHead(200, STREAM).write('data: 1\n\n', () => response.destroy()),
    response => response.writeHead(200, { 'content-length': '1000' }).write('data: 1\n\n', () => response.destroy()),
    response => response.writeHead(200, STREAM).write('data: 1\n\n', () => response.socket?.resetAndDestroy()),
  ];
  for (const cut of cuts) {
    const kit = await startKit(t, (_, response) => cut(response));
    const agent = kit.raw();
    const { port, token } = kit.gateway;
    agent.socket.write(
      `${head(`POST /${token}/anthropic/v1/messages HTTP/1.1`, `Host: localhost:${port}`, 'Content-Length: 2')}{}`,
    );
    const answer = await agent.whole();
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /data: 1\n\n/, 'what came before is handed on');
    assert.doesNotMatch(answer, /\r\n0\r\n\r\n$/, 'no end is made up');
    assert.equal(await kit.calls.sent[0]?.ended(), 'cut');
    assert.deepEqual(kit.calls.sent[0]?.ends, ['cut']);
  }
});

test('gateway streaming: an HTTP/1.0 agent, for which the end of the connection is that of the answer, gets a reset for a cut', async t => {
  const had = new Gate('the agent had the first piece');
  const kit = await startKit(t, async (_, response) => {
    response.writeHead(200, STREAM).write('data: 1\n\n');
    await had.wait();
    response.destroy();
  });
  const { port, token } = kit.gateway;
  const socket = connect({ port, host: '127.0.0.1' });
  t.after(() => socket.destroy());
  const failed = new Promise(resolve => socket.once('close', resolve));
  let error: NodeJS.ErrnoException | undefined;
  socket.once('error', raised => {
    error = raised;
  });
  socket.on('data', piece => {
    if (piece.includes('data: 1')) {
      had.open();
    }
  });
  socket.write(
    `${head(`POST /${token}/anthropic/v1/messages HTTP/1.0`, `Host: localhost:${port}`, 'Content-Length: 2')}{}`,
  );
  await inTime(failed, 'the end of the connection');
  assert.equal(error?.code, 'ECONNRESET');
});

test('gateway streaming: an upstream that ends before its head is answered with 502 in words', async t => {
  const kit = await startKit(t, (_, response) => void response.destroy());
  const answer = await fetch(kit.url('/v1/messages'), { method: 'POST', body: '{}' });
  assert.equal(answer.status, 502);
  const { error } = (await answer.json()) as { error: { message: string } };
  assert.match(error.message, /^The gateway got no answer from the model's address 127\.0\.0\.1:\d+ \(\w+\)\./);
  assert.equal(await kit.calls.sent[0]?.ended(), 'unreachable');
});

test('gateway streaming: an upstream that cannot be reached is answered with 502 in words', async t => {
  const kit = await startKit(t, (_, response) => void response.end());
  await kit.upstream.close();
  const answer = await fetch(kit.url('/v1/messages'), { method: 'POST', body: '{}' });
  assert.equal(answer.status, 502);
  assert.match(await answer.text(), /ECONNREFUSED/);
  assert.equal(kit.notices.length, 1, 'its person is told too: agents try again and say nothing');
  assert.match(kit.notices[0] ?? '', /^The gateway got no answer from the model's address .* \(ECONNREFUSED\)\./);
  assert.equal(await kit.calls.sent[0]?.ended(), 'unreachable');
  assert.deepEqual(kit.calls.sent[0]?.hashes, [], 'nothing left');
});

test('gateway streaming: 200 streams at the same time, each with its own bytes', async t => {
  const all = new Gate('all 200 requests were there');
  let waiting = 0;
  const kit = await startKit(t, async (request, response) => {
    response.writeHead(200, STREAM);
    response.flushHeaders();
    waiting += 1;
    if (waiting === 200) {
      all.open();
    }
    await all.wait();
    for (let at = 0; at < 5; at += 1) {
      response.write(`${request.body.toString()}:${at};`);
      await nextTurn();
    }
    response.end();
  });
  const texts = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const answer = await post(kit.url('/v1/messages'), `agent ${at}`);
      const pieces: Buffer[] = [];
      for await (const piece of answer) {
        pieces.push(piece as Buffer);
      }
      return Buffer.concat(pieces).toString();
    }),
  );
  for (const [at, text] of texts.entries()) {
    assert.equal(text, [0, 1, 2, 3, 4].map(piece => `agent ${at}:${piece};`).join(''));
  }
  assert.deepEqual(new Set(kit.calls.sent.flatMap(({ ends }) => ends)), new Set(['whole']));
});
