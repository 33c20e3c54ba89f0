import type { OpencodeMessage, ToolPart, ToolState } from '../../../adapter/agents/opencode/opencodeApi.ts';

const sessionID = 'ses_1';

/** A message of a person, as opencode 1.18 hands it over (recorded in a run). */
export function prompt(id: string, text: string): OpencodeMessage {
  const info = {
    role: 'user',
    time: { created: 1_796_004_260_492 },
    agent: 'build',
    model: { providerID: 'fake', modelID: 'fake-1' },
    summary: { diffs: [] },
    id,
    sessionID,
  };
  return { info, parts: [{ type: 'text', text, id: `prt_${id}`, sessionID, messageID: id } as { type: string }] };
}

/** An answer, as opencode 1.18 hands it over (recorded in a run). */
export function answer(id: string, parts: OpencodeMessage['parts'], finish = 'tool-calls'): OpencodeMessage {
  const tokens = { total: 110, input: 100, output: 10, reasoning: 0, cache: { write: 0, read: 0 } };
  const place = { sessionID, messageID: id };
  const info = {
    parentID: 'msg_1',
    role: 'assistant',
    mode: 'build',
    agent: 'build',
    path: { cwd: '/project', root: '/project' },
    cost: 0,
    tokens,
    modelID: 'fake-1',
    providerID: 'fake',
    time: { created: 1_796_004_261_627, completed: 1_796_004_263_870 },
    finish,
    id,
    sessionID,
  };
  return {
    info,
    parts: [
      { type: 'step-start', snapshot: '56aa2db8', id: `prt_${id}_start`, ...place } as { type: string },
      ...parts,
      { type: 'step-finish', reason: finish, tokens, cost: 0, id: `prt_${id}_finish`, ...place } as { type: string },
    ],
  };
}

/** A call with its result. */
export function toolPart(callID: string, tool: string, output: string, state: Partial<ToolState> = {}): ToolPart {
  return {
    type: 'tool',
    tool,
    callID,
    state: {
      status: 'completed',
      input: { command: 'x' },
      ...(state.status === undefined && { output }),
      metadata: { output, exit: 0, truncated: false },
      ...state,
    },
  };
}
