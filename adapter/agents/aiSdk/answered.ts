import type { CallParams, CallResult } from './aiSdkApi.ts';
import type { AiSdkSession, Call } from './aiSdkSession.ts';

/** Ways to call the model. */
export interface Sending<Result> {
  readonly first: () => PromiseLike<Result>;
  /** The same with other parameters. */
  readonly again: (params: CallParams) => PromiseLike<Result>;
}

/** What the model gives for a call, and whose answer that is. */
export interface Answered<Result> {
  readonly call: Call;
  readonly result: Result;
}

/**
 * Calls the model, and once more with a shorter request where it refuses the first one for its length (T-27). Rejects with what
 * the last call rejects with, or the planning of the second.
 */
export async function answered<Result extends CallResult>(
  session: AiSdkSession,
  params: CallParams,
  { first, again }: Sending<Result>,
): Promise<Answered<Result>> {
  const call = session.call(params);
  try {
    return await answer(call, first);
  } catch (error) {
    const planned = await session.plannedAgain(params);
    if (!planned) {
      throw error;
    }
    return answer(session.call(planned), () => again(planned));
  }
}

async function answer<Result extends CallResult>(
  call: Call,
  send: () => PromiseLike<Result>,
): Promise<Answered<Result>> {
  try {
    const result = await send();
    call.sent(result.request?.body);
    return { call, result };
  } catch (error) {
    call.broken(error);
    throw error;
  }
}
