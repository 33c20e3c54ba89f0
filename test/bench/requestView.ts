import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SessionConfig } from '../../adapter/sessionTypes.ts';
import { DEFAULT_BUDGET } from '../../local/budgetSettings.ts';
import { GrowingSession } from './growingSession.ts';
import { heapUsed, medians, megabytes, milliseconds, prepared, type Row, type Task, times, whole } from './measure.ts';
import { freshTranscript, transcript } from './transcript.ts';

const MESSAGES = 10_000;
const NEW = 2;
const ROUNDS = 60;
const FIRST_ROUNDS = 7;

const COUNTED = 'tokens counted, and the price of the change';
const PLAIN: SessionConfig = { countTokens: false };
/** In a window that holds the half of such a session. */
const LAYER: SessionConfig = {
  countTokens: true,
  budget: { ...DEFAULT_BUDGET, enabled: true, window: 500_000 },
};

/** DESIGN (Speed), row 4: a request of a long session, whose messages the host hands over as fresh copies each time. */
export async function requestView(): Promise<readonly Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-view-'));
  try {
    // First what measures no memory: what other parts of the bench leave behind is gone by then.
    const besides = [
      await beside(folder, COUNTED, PLAIN, { countTokens: true }),
      await beside(folder, 'rebuilt from the log and compared', PLAIN, { ...PLAIN, crossCheck: true }),
      await beside(folder, 'a log without content', PLAIN, { ...PLAIN, content: 'hashes' }),
      await beside(folder, 'tokens counted, with the budget layer', { countTokens: true }, LAYER),
      await firstRequest(folder),
    ];
    return [
      ...(await againstStringify(folder, 'tokens not counted', PLAIN)),
      ...(await againstStringify(folder, COUNTED, { countTokens: true })),
      ...besides,
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function againstStringify(folder: string, what: string, config: SessionConfig): Promise<readonly Row[]> {
  const before = heapUsed();
  const session = await sessionAt(folder, config);
  const median = await medians({ next: nextRequest(session), stringify: STRINGIFY }, ROUNDS);
  const counted = await countedRequest(session);
  const memory = heapUsed() - before;
  await session.close();
  const ratio = median.next / median.stringify;
  return [
    {
      work: `request with ${NEW} new of ${messages()}, ${what} (${counted})`,
      ours: milliseconds(median.next),
      peer: `JSON.stringify ${milliseconds(median.stringify)}`,
      ratio: times(ratio),
      bar: '<= 1x',
      met: ratio <= 1,
    },
    {
      work: `memory of that session, ${what}`,
      ours: megabytes(memory),
      peer: '',
      ratio: `${whole(memory / MESSAGES)} bytes a message`,
      bar: 'printed',
    },
  ];
}

async function beside(folder: string, what: string, without: SessionConfig, config: SessionConfig): Promise<Row> {
  const plain = await sessionAt(folder, without);
  const other = await sessionAt(folder, config);
  const median = await medians({ plain: nextRequest(plain), other: nextRequest(other) }, ROUNDS);
  await plain.close();
  await other.close();
  return {
    work: `the same request, ${what}`,
    ours: milliseconds(median.other),
    peer: `without ${milliseconds(median.plain)}`,
    ratio: `${milliseconds(median.other - median.plain)} more`,
    bar: 'printed',
  };
}

/** All messages are new: they are copied, described, hashed, logged and sealed. */
async function firstRequest(folder: string): Promise<Row> {
  const waiting: GrowingSession[] = [];
  for (let round = -1; round < FIRST_ROUNDS; round++) {
    waiting.push(await GrowingSession.open(folder, PLAIN, MESSAGES));
  }
  const first = prepared(
    () => ({ session: waiting.pop(), messages: freshTranscript(MESSAGES) }),
    async ({ session, messages }) => {
      await session?.build(messages);
      await session?.close();
    },
  );
  const median = await medians({ first, stringify: STRINGIFY }, FIRST_ROUNDS);
  return {
    work: `first request of a session, all ${messages()} new`,
    ours: milliseconds(median.first),
    peer: `JSON.stringify ${milliseconds(median.stringify)}`,
    ratio: times(median.first / median.stringify),
    bar: 'printed',
  };
}

const STRINGIFY = prepared(
  () => freshTranscript(MESSAGES),
  fresh => JSON.stringify(fresh),
);

function nextRequest(session: GrowingSession): Task {
  return prepared(
    () => session.next(NEW),
    messages => session.build(messages),
  );
}

/** A session with requests behind it. */
async function sessionAt(folder: string, config: SessionConfig): Promise<GrowingSession> {
  const session = await GrowingSession.open(folder, config, MESSAGES);
  await session.build(session.next(0));
  await session.settle();
  return session;
}

/** What one more request reads, by the session's own counters. */
async function countedRequest(session: GrowingSession): Promise<string> {
  const before = { ...session.work };
  await session.build(session.next(NEW));
  const { parsed, hashed, compared } = session.work;
  return `${parsed - before.parsed} parsed, ${hashed - before.hashed} hashed, ${whole(compared - before.compared)} compared`;
}

function messages(): string {
  return `${whole(MESSAGES)} messages, ${megabytes(JSON.stringify(transcript(MESSAGES)).length)}`;
}
