import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileRows } from '../../../client/views/profileRows.ts';
import { sessionRows } from '../../../client/views/sessionRows.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { opened } from '../../protocol/log/sessions.ts';
import { CWD, drawingOf, everyRow, outline, sessionOf, sessionsOf } from './kit.ts';

const VIEW = 'contextLifecycle.session';

function rowsOf(agent: string, agentVersion?: string, events: readonly NewEvent[] = []) {
  const again = { ...opened, data: { ...opened.data, agent, ...(agentVersion && { agentVersion }) } } as NewEvent;
  const session = sessionOf([again, ...events], {
    header: { version: 1, id: 's', agent, cwd: CWD, created: 1 },
  });
  return profileRows(session, drawingOf(VIEW));
}

const below = (rows: ReturnType<typeof rowsOf>) => outline(rows[0]?.children?.() ?? []);

test('issue 5: the session view says what is enforced, observed and impossible at its agent', () => {
  const rows = rowsOf('claude-code', '2.1.332');
  assert.deepEqual(outline(rows), ['What holds here | as measured with Claude Code 2.1.332']);
  assert.deepEqual(below(rows), [
    'Done | by the gateway in front of the model',
    'Blocks | enforced',
    'Ephemeral contents | enforced, except a tag in a file that a tool reads',
    'Discards | enforced',
    'What left | the SHA-256 of the body that left',
    'When something is wrong | no request leaves, unless your settings let it go on as it came',
    'Comments | since 2.1.72 it removes comments that stand on lines of their own, outside fenced code from CLAUDE.md, CLAUDE.local.md, .claude/rules/**/*.md, so tags in them reach neither the model nor a hook',
    'Not exact | each line of a file that a tool reads begins with "1\\t", so a tag there is none',
    'Limit | Its hooks see no request before it leaves: only the gateway can change one.',
    'Limit | Requests for titles and for counts of tokens are passed on as they are.',
  ]);
});

test('issue 5: a source that is observed only makes blocks and discards observed, and the first line says so', () => {
  const problem: NewEvent = {
    type: 'session/problem',
    data: { code: 'observe-only', sentence: 'Its text was not found.', source: `${CWD}/CLAUDE.md` },
  };
  const rows = rowsOf('claude-code', '2.1.332', [problem]);
  assert.deepEqual(outline(rows), [
    'What holds here | observe only for CLAUDE.md · as measured with Claude Code 2.1.332',
  ]);
  assert.deepEqual(
    below(rows).filter(line => /observed/.test(line)),
    ['Blocks | observed only for CLAUDE.md', 'Discards | observed only for CLAUDE.md'],
  );
  assert.match(everyRow(rows).find(({ label }) => label === 'Blocks')?.tooltip ?? '', /Its text was not found\./);
});

test('issue 5: another version than was measured is said, and an agent that never was; the demo needs no such row', () => {
  assert.equal(rowsOf('pi', '9.9.9')[0]?.description, 'measured with pi 1.6.0, 0.73.1, not with 9.9.9');
  assert.equal(rowsOf('pi')[0]?.description, 'as measured with pi 1.6.0, 0.73.1');
  const [unknown] = rowsOf('anthropic');
  assert.deepEqual([unknown?.description, unknown?.children], ['not known: this agent was never measured', undefined]);
  assert.deepEqual(rowsOf('demo'), []);
});

test('issue 5: the profile stands below the session', () => {
  const session = sessionOf([], { header: { version: 1, id: 's', agent: 'codex', cwd: CWD, created: 1 } });
  const labels = everyRow(sessionRows(sessionsOf(session), drawingOf(VIEW))).map(({ label }) => label);
  assert.ok(labels.includes('What holds here'));
  assert.ok(labels.indexOf('What holds here') > labels.indexOf('Discard from here'));
});
