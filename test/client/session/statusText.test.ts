import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PanelSession, SessionLink } from '../../../client/session/sessionModel.ts';
import { sessionsState } from '../../../client/session/sessionsState.ts';
import { statusText } from '../../../client/session/statusText.ts';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { initialState } from '../../../protocol/log/reduce.ts';
import type { Amount } from '../../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';
import { OrderedMap } from '../../../protocol/orderedMap.ts';
import { Vector } from '../../../protocol/vector.ts';
import { HEADER } from '../../adapter/host/hostKit.ts';

const wording = { say: renderMessage, time: String };
const LOST: SessionLink = { kind: 'lost', sentence: 'Lost.', since: 1 };

function session(kind: 'connecting' | 'connected' | 'past', state: Partial<SessionState> = {}): PanelSession {
  return { key: kind, header: HEADER, link: { kind }, state: { ...initialState, ...state } } as PanelSession;
}

function sessions(...all: readonly PanelSession[]) {
  return { all, current: all[0], isNew: false, choose() {}, onChange: () => ({ dispose() {} }) };
}

function blocks(...statuses: readonly ('active' | 'discarded')[]): Pick<SessionState, 'lifecycle'> {
  const entries = statuses.map((status, at) => [`b${at}`, { id: `b${at}`, status }] as const);
  return { lifecycle: { ...initialState.lifecycle, blocks: OrderedMap.of(new Map(entries) as never) } };
}

function sent(total: Amount): Pick<SessionState, 'requests'> {
  return { requests: Vector.of([{ sealed: { sizes: { total } } }] as never) };
}

test('the status bar counts active blocks and says where the tokens come from', () => {
  const state = { ...blocks('active', 'discarded', 'active'), ...sent({ tokens: 12_345, origin: 'estimated' }) };
  assert.deepEqual(statusText(sessions(session('connected', state)), wording), {
    label: '2 blocks active, ~12,345 tokens',
    tooltip: 'Session session-1 of test.\n2 blocks are active.\nThe last request: About 12345 tokens, estimated.',
    spoken: 'Session session-1 of test. 2 blocks are active. The last request: About 12345 tokens, estimated.',
  });
  const exact = { ...blocks('active'), ...sent({ tokens: 7, origin: 'exact' }) };
  assert.equal(statusText(sessions(session('connected', exact)), wording)?.label, '1 block active, 7 tokens');
});

test('before a request was sealed, or where nobody counts, the status bar names no tokens', () => {
  assert.equal(statusText(sessions(session('connected')), wording)?.label, '0 blocks active');
});

test('the status bar is about a session that is connected, or there is none', () => {
  assert.equal(statusText(sessions(), wording), undefined);
  assert.equal(statusText(sessions(session('past'), session('connecting')), wording), undefined);
  const status = statusText(sessions(session('past'), session('connected', blocks('active'))), wording);
  assert.equal(status?.label, '1 block active');
});

test('what a session calls itself stays one bounded line', () => {
  const loud = { ...session('connected'), header: { ...HEADER, agent: `a\n${'b'.repeat(9_000)}` } };
  const status = statusText(sessions(loud), wording);
  assert.ok((status?.spoken.length ?? 0) < 500);
  assert.equal(status?.tooltip.split('\n').length, 2);
});

test('the state that welcome texts ask for', () => {
  const all = [session('connected')];
  assert.equal(sessionsState({ all, isNew: false }, false), 'untrusted');
  assert.equal(sessionsState({ all, isNew: false }, true), 'connected');
  assert.equal(sessionsState({ all: [session('past')], isNew: false }, true), 'lost');
  assert.equal(sessionsState({ all: [{ ...session('past'), link: LOST }], isNew: false }, true), 'lost');
  assert.equal(sessionsState({ all: [session('connecting')], isNew: true }, true), 'never');
  assert.equal(sessionsState({ all: [], isNew: true }, true), 'never');
  assert.equal(sessionsState({ all: [], isNew: false }, true), 'none');
});
