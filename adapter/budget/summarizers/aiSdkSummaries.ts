import type { CompressionPart } from '../../../protocol/budget/compression.ts';
import { isContainer } from '../../../protocol/request/json.ts';
import type { Model, PromptMessage } from '../../agents/aiSdk/aiSdkApi.ts';
import { type Answer, askInTime, reasonOf } from './askInTime.ts';
import { NoSummaryError } from './noSummaryError.ts';
import { readAnswers } from './readAnswers.ts';
import { partsJson } from './summaryDocument.ts';
import type { SummaryMaker } from './summaryMaker.ts';
import { ANSWER_SCHEMA, SUMMARY_TASK } from './summaryTask.ts';

/** As much of the AI SDK's `LanguageModelV3` and `V4` as is asked here. */
export interface SummaryModel extends Model {
  doGenerate(call: SummaryCall): PromiseLike<object>;
}

export interface SummaryCall {
  readonly prompt: readonly PromptMessage[];
  readonly responseFormat?: object | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

export interface AiSdkSummariesOptions {
  /** A model of the AI SDK 6 or 7; not one that is wrapped with `contextLifecycle`, whose request waits for these summaries. */
  readonly model: SummaryModel;
  /** Default: 30. */
  readonly timeoutSeconds?: number;
}

/** A long history has many parts, and an answer for all of them at once would take a minute. */
const CALLS_AT_ONCE = 4;

/** In UTF-16 code units. */
const LONGEST_ANSWER = 1_000_000;

/**
 * Summaries of a model of the AI SDK, which is given texts of the session: one call for each part. After a call that fails
 * no other is made. Throws `TypeError` for a model that cannot be called, and `RangeError` for a time-out that is none.
 */
export function aiSdkSummaries({ model, timeoutSeconds }: AiSdkSummariesOptions): SummaryMaker {
  if (!isContainer(model) || typeof model.doGenerate !== 'function') {
    throw new TypeError('model must be a model object of the AI SDK, such as openai("…"), not its name.');
  }
  return askInTime(`${model.provider}/${model.modelId}`, timeoutSeconds, async (parts, signal) => {
    const answers: Answer[] = [];
    const waiting = parts.entries();
    let broken: string | undefined;
    const askOn = async (): Promise<void> => {
      // The workers share the iterator, so each part is taken once.
      for (const [place, part] of waiting) {
        try {
          answers[place] = answerOf(await called(model, part, signal));
        } catch (error) {
          broken ??= reasonOf(error);
        }
        if (broken !== undefined) {
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, askOn));
    return parts.map((_, place) => answers[place] ?? { failed: broken ?? 'it was not asked' });
  });
}

/** What the model gave. Rejects with `NoSummaryError` or the signal's reason, at once where the model heeds no signal. */
async function called(model: SummaryModel, part: CompressionPart, signal: AbortSignal): Promise<object> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, model.doGenerate(callFor(part, signal))]);
  } catch (error) {
    signal.throwIfAborted();
    throw errorOf(error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function callFor(part: CompressionPart, abortSignal: AbortSignal): SummaryCall {
  return {
    prompt: [
      { role: 'system', content: SUMMARY_TASK },
      { role: 'user', content: [{ type: 'text', text: JSON.stringify(partsJson([part])) }] },
    ],
    responseFormat: { type: 'json', name: 'summaries', schema: ANSWER_SCHEMA },
    abortSignal,
  };
}

/** A model's error may quote what it was given, but a status is a number. */
function errorOf(error: unknown): NoSummaryError {
  const status = isContainer(error) ? error['statusCode'] : undefined;
  return new NoSummaryError(
    Number.isSafeInteger(status) ? `its API gave the status ${String(status)}` : 'its call failed',
  );
}

/** A text that cannot be read is no reason to ask for no other. */
function answerOf(result: object): Answer {
  try {
    const [answer] = readAnswers(textOf(result), 1);
    return answer ?? { failed: 'its answer is empty' };
  } catch (error) {
    return { failed: reasonOf(error) };
  }
}

function textOf(result: object): string {
  const { content } = result as { readonly content?: unknown };
  const parts = Array.isArray(content) ? (content as readonly unknown[]).filter(isContainer) : [];
  const texts = parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > LONGEST_ANSWER) {
    throw new NoSummaryError(`its answer is longer than ${LONGEST_ANSWER} characters`);
  }
  return texts.join('');
}
