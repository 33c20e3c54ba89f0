import type { PanelSession, PanelSessions } from '../../../client/session/sessionModel.ts';
import type { Drawing } from '../../../client/views/drawing.ts';
import { Pages } from '../../../client/views/pages.ts';
import type { Row } from '../../../client/views/row.ts';
import type { Wording } from '../../../client/views/wording.ts';
import { DEFAULT_POLICY } from '../../../protocol/lifecycle/defaultPolicy.ts';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { HASH, logOf, opened } from '../../protocol/log/sessions.ts';

export const wording: Wording = { say: renderMessage, time: time => `t${time}` };

export const CWD = '/work/to-do';
export const AGENTS = `${CWD}/AGENTS.md`;
const PROMPT = `${CWD}/.github/prompts/start.prompt.md`;
const contextFile = { trigger: 'load', class: 'context-file', rule: 'rule 1: context-file "*" may define' } as const;

export function loaded(source: string, blocks: readonly string[], problems: readonly Problem[] = []): NewEvent {
  return {
    type: 'source/loaded',
    data: { source, class: 'context-file', sha256: HASH, bytes: 100, blocks, problems },
  };
}

interface Problem {
  readonly code: string;
  readonly line: number;
  readonly blockId?: string;
}

export function activated(blockId: string, requestSequence = 1, source = AGENTS, line = 12, bytes = 397): NewEvent {
  return {
    type: 'block/activated',
    data: { ...contextFile, blockId, source, line, endLine: line + 5, bytes, sha256: HASH, requestSequence },
  };
}

export function discarded(blockId: string, requestSequence: number, connection?: string): NewEvent {
  const by =
    connection === undefined
      ? ({ source: PROMPT, line: 9, trigger: 'control', class: 'host-workflow', rule: 'rule 3: may discard' } as const)
      : ({ source: 'editor', trigger: 'watcher', class: 'editor', rule: 'rule 4: may discard', connection } as const);
  return { type: 'block/discarded', data: { blockId, requestSequence, ...by } };
}

const amount = (tokens: number, origin: 'estimated' | 'anchored' | 'exact' = 'estimated') => ({ tokens, origin });

const sizes = (total: number) => ({
  system: amount(20),
  tools: amount(200),
  prefix: amount(300, 'anchored'),
  messages: amount(total - 519),
  unattributed: amount(-1, 'exact'),
  total: amount(total, 'anchored'),
});

/** The events of one request that was answered, in a turn of its own. `first` is the `seq` of the first of them. */
export function request(
  number: number,
  first: number,
  more: Partial<Extract<NewEvent, { type: 'request/sealed' }>['data']> = {},
): readonly NewEvent[] {
  return [
    { type: 'turn/start', data: { turn: number, trigger: { kind: 'message' } } },
    { type: 'step/start', data: { turn: number, step: 1, requestSequence: number } },
    {
      type: 'request/sealed',
      data: {
        requestSequence: number,
        stepStart: first + 1,
        hash: HASH,
        bytes: 1000 + number * 500,
        messages: 1 + number * 2,
        sizes: sizes(1000 + number * 100),
        ...(number > 1 && { price: { rewritten: amount(0, 'exact'), freed: amount(0, 'exact'), breakEven: 0 } }),
        changes: [],
        ...more,
      },
    },
    { type: 'request/receipt', data: { requestSequence: number, result: 'matched', sha256: HASH } },
    {
      type: 'step/end',
      data: {
        turn: number,
        step: 1,
        requestSequence: number,
        outcome: 'completed',
        usage: { input: 1200, output: 55 },
      },
    },
    { type: 'turn/end', data: { turn: number, reason: 'completed' } },
  ];
}

export function ephemeral(type: 'admitted' | 'consumed', ordinal: number, requestSequence: number): NewEvent {
  const unit = {
    ordinal,
    unit: `id:call_${ordinal}`,
    source: 'tool:read_file',
    class: 'tool-result',
    rule: 'rule 6',
    bytes: 632,
    requestSequence,
  } as const;
  return type === 'admitted'
    ? { type: 'ephemeral/admitted', data: unit }
    : { type: 'ephemeral/consumed', data: { ...unit, trigger: 'assistant-response', tombstoneBytes: 63 } };
}

export const denied: NewEvent = {
  type: 'discard/denied',
  data: {
    blockId: 'house-rules',
    source: 'tool:read_issue',
    line: 8,
    trigger: 'message',
    class: 'tool-result',
    rule: 'rule 6: tool-result "*" may ephemeral',
    requestSequence: 2,
    unit: 'id:call_6',
  },
};

/** A session whose state is folded from these events, the opening one before them. */
export function sessionOf(events: readonly NewEvent[], more: Partial<PanelSession> = {}): PanelSession {
  const log = logOf([opened, ...events]);
  const state = log.reduce(reduce, initialState);
  return {
    key: 'key',
    header: { version: 1, id: 'd334d6845913', agent: 'demo', cwd: CWD, created: 999 },
    link: { kind: 'connected' },
    state,
    policy: DEFAULT_POLICY,
    mayDiscard: true,
    history: async (from, to) => log.slice(from, to),
    readRequest: () => Promise.reject(new Error('not in this test')),
    stateAt: async number => log.slice(0, state.requests.get(number - 1)!.sealed.seq + 1).reduce(reduce, initialState),
    whatIf: () => Promise.reject(new Error('not in this test')),
    whatIfCompressed: () => Promise.reject(new Error('not in this test')),
    discard: () => Promise.reject(new Error('not in this test')),
    tier1: () => Promise.reject(new Error('not in this test')),
    updateTier1: () => Promise.reject(new Error('not in this test')),
    rebasePrefix: () => Promise.reject(new Error('not in this test')),
    ...more,
  };
}

export function sessionsOf(...all: readonly PanelSession[]): PanelSessions {
  return { all, current: all[0], choose() {}, isNew: all.length === 0, onChange: () => ({ dispose() {} }) };
}

/** Whatever a session has to be asked for is known, as far as its history tells it. */
export function drawingOf(view: string, more: Partial<Drawing> = {}): Drawing {
  return {
    view,
    pages: new Pages(),
    wording,
    tokensOf: () => undefined,
    isChanged: () => undefined,
    eventOf: () => undefined,
    ...more,
  };
}

/** Each row as one line, with those below it that are shown at first. */
export function outline(rows: readonly Row[], indentation = ''): readonly string[] {
  return rows.flatMap(row => [
    `${indentation}${row.label}${row.description ? ` | ${row.description}` : ''}`,
    ...(row.expanded ? outline(row.children?.() ?? [], `${indentation}  `) : []),
  ]);
}

/** Every row, those of folded ones too. */
export function everyRow(rows: readonly Row[]): readonly Row[] {
  return rows.flatMap(row => [row, ...everyRow(row.children?.() ?? [])]);
}

export function rowNamed(rows: readonly Row[], label: string): Row {
  const row = everyRow(rows).find(each => each.label === label);
  if (!row) {
    throw new Error(
      `There is no row ${label} among ${everyRow(rows)
        .map(each => each.label)
        .join(', ')}`,
    );
  }
  return row;
}
