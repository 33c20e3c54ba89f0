import type { JsonObject } from '../../../protocol/request/json.ts';
import { readAnswer } from './answerReader.ts';
import { type GatewayApi, type SplitBody, UnreadableBodyError } from './gatewayApi.ts';
import { openaiRefusal } from './refusing.ts';
import { responsesAnswer } from './responsesAnswer.ts';
import { responsesFormat } from './responsesFormat.ts';
import { leadingIn, listOf, splitInto, systemIn } from './splitting.ts';

/** OpenAI's Responses API. */
export const openaiResponses: GatewayApi = {
  name: 'openai-responses',
  provider: 'openai',
  serves: path => path.endsWith('/responses'),
  format: responsesFormat,
  split,
  answer: head => readAnswer(head, responsesAnswer),
  refusal: openaiRefusal,
};

/** By which some versions of Codex let the provider shorten the conversation: what it keeps of a blocks' message nobody could take back. */
export const openaiCompaction: GatewayApi = {
  ...openaiResponses,
  serves: path => path.endsWith('/responses/compact'),
  split: () => {
    throw new UnreadableBodyError(
      'The request asks the provider to shorten the conversation ("responses/compact"), which the gateway does not know. Use a version of the agent that shortens it by a request like any other.',
    );
  },
};

/** Members that let the provider put messages before those of the request. */
const CONTINUING = ['previous_response_id', 'conversation'] as const;

function split(body: JsonObject): SplitBody {
  const { input } = body;
  const messages = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(body, 'input');
  const continuing = CONTINUING.find(member => (body[member] ?? null) !== null);
  const kept = continuing ?? (messages.some(({ type }) => type === 'item_reference') ? 'item_reference' : undefined);
  if (kept !== undefined) {
    throw new UnreadableBodyError(
      `The request leaves out messages that the provider keeps ("${kept}"), so it cannot be told what the model is sent. Set "store" to false in the agent, so that it sends its whole history.`,
    );
  }
  const instructions = systemIn(body, 'instructions');
  return splitInto(body, {
    list: 'input',
    // of a text no item stands in the body, and none of them can be the system's
    ...(instructions.system === undefined && typeof input !== 'string' ? leadingIn(messages, isSystem) : { messages }),
    ...instructions,
    ...(messages.some(({ type }) => type === MORE_TOOLS) && { offersTools: true }),
  });
}

/** Codex hands the tools of its newer models over as the first item, and no list of tools. */
const MORE_TOOLS = 'additional_tools';

function isSystem({ type, role }: JsonObject): boolean {
  return type === MORE_TOOLS || ((type ?? 'message') === 'message' && (role === 'developer' || role === 'system'));
}
