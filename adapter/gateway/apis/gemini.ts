import { isJsonObject, type JsonObject } from '../../../protocol/request/json.ts';
import { readAnswer } from './answerReader.ts';
import type { GatewayApi, SplitBody } from './gatewayApi.ts';
import { geminiAnswer } from './geminiAnswer.ts';
import { geminiFormat } from './geminiFormat.ts';
import { BAD_REQUEST, refusalOf } from './refusing.ts';
import { listOf, splitInto, systemIn } from './splitting.ts';

const MODEL = /\/([^/:]+):[^/:]+$/u;
const PATH = /\/[^/:]+:(?:stream)?generatecontent$/u;

/** Gemini's `generateContent` and `streamGenerateContent`. */
export const gemini: GatewayApi = {
  name: 'gemini',
  provider: 'gemini',
  serves: path => PATH.test(path),
  format: geminiFormat,
  split,
  model: ({ path }) => {
    const name = MODEL.exec(path)?.[1];
    return name === undefined ? {} : { name: decodeURIComponent(name) };
  },
  answer: head => readAnswer(head, geminiAnswer),
  refusal: sentence =>
    refusalOf(BAD_REQUEST, sentence, message => ({
      error: { code: BAD_REQUEST, message, status: 'INVALID_ARGUMENT' },
    })),
};

function split(body: JsonObject): SplitBody {
  const { contents } = body;
  const messages = isJsonObject(contents) ? [contents] : listOf(body, 'contents');
  return splitInto(body, { list: 'contents', messages, ...systemIn(body, 'systemInstruction', 'system_instruction') });
}
