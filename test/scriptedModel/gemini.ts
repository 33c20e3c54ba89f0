import { event, halves, type ModelApi, type SpokenAnswer, usageOf, type Voice } from './answer.ts';

/** Gemini's `generateContent` and `streamGenerateContent?alt=sse`. */
export const gemini: ModelApi = {
  serves: path => /\/models\/[^/:]+:(?:generateContent|streamGenerateContent)$/u.test(path),
  isStreamed: path => path.endsWith(':streamGenerateContent'),
  whole: (answer, voice) => JSON.stringify(chunkOf(answer, voice, partsOf(answer), true)),
  pieces(answer, voice) {
    const spoken = partsOf(answer);
    return spoken.map((part, place) => event(chunkOf(answer, voice, [part], place === spoken.length - 1)));
  },
  error: (code, message) => ({
    error: { code, message, status: code >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT' },
  }),
};

function chunkOf(answer: SpokenAnswer, { model, number }: Voice, parts: readonly object[], isLast: boolean): object {
  const { input, output, cacheRead } = usageOf(answer);
  return {
    candidates: [{ content: { role: 'model', parts }, ...(isLast ? { finishReason: 'STOP' } : {}), index: 0 }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: isLast ? output : 1,
      totalTokenCount: input + output,
      cachedContentTokenCount: cacheRead,
    },
    modelVersion: model,
    responseId: `scripted-${number}`,
  };
}

function partsOf({ thinking, text = '', toolCalls = [] }: SpokenAnswer): readonly object[] {
  const parts = [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...halves(text).map(half => ({ text: half })),
    ...toolCalls.map(({ id, name, arguments: args }) => ({
      functionCall: { ...(id === '' ? {} : { id }), name, args },
      ...(thinking === undefined ? {} : { thoughtSignature: Buffer.from(thinking).toString('base64') }),
    })),
  ];
  return parts.length > 0 ? parts : [{ text: '' }];
}
