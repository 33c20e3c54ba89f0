import { isBlockId, tagLine } from '../../../protocol/lifecycle/declaration.ts';
import type { GivenLimits } from '../../budget/sessionLimits.ts';
import type { DirectiveOutcome, Session, SessionOptions } from '../../sessionTypes.ts';
import type { CalledModel, CallParams, GenerateResult, Model, StreamPart, StreamResult } from './aiSdkApi.ts';
import { aiSdkFormat } from './aiSdkFormat.ts';
import { AiSdkSession } from './aiSdkSession.ts';
import { answered } from './answered.ts';
import { type ContextSource, readSources } from './contextSources.ts';
import { watchedStream } from './watchedStream.ts';

export interface ContextLifecycleOptions<Version extends string = 'v4'>
  extends Pick<
    SessionOptions,
    | 'sessionId'
    | 'forkedFrom'
    | 'cwd'
    | 'folder'
    | 'policy'
    | 'config'
    | 'hasHistory'
    | 'hostSession'
    | 'transcript'
    | 'summaries'
    | 'handoff'
    | 'pause'
  > {
  /** Context Markdown in load order: paths of files, or texts with a name. Their block definitions become active. */
  readonly sources?: readonly ContextSource[];
  /** `v4` (AI SDK 7, the default) or `v3` (AI SDK 6). */
  readonly specificationVersion?: Version;
  /** What the model takes, in tokens, for the budget layer; absent: what is known of it by its name. */
  readonly limits?: GivenLimits;
  /** Gets sentences for a person; absent: `process.emitWarning`. */
  readonly onNotice?: (sentence: string) => void;
}

/** A middleware for `wrapLanguageModel`. One belongs to one conversation. */
export interface ContextLifecycleMiddleware<Version extends string> {
  readonly specificationVersion: Version;
  transformParams<Params extends CallParams>(call: { readonly params: Params; readonly model: Model }): Promise<Params>;
  wrapGenerate<Result extends GenerateResult>(call: {
    readonly doGenerate: () => PromiseLike<Result>;
    readonly params: CallParams;
    readonly model: Pick<CalledModel<Result, unknown>, 'doGenerate'>;
  }): Promise<Result>;
  wrapStream<Part extends StreamPart, Result extends StreamResult<Part>>(call: {
    readonly doStream: () => PromiseLike<Result & StreamResult<Part>>;
    readonly params: CallParams;
    readonly model: Pick<CalledModel<unknown, Result & StreamResult<Part>>, 'doStream'>;
  }): Promise<Result>;
  /** The session, with its state and its log. Rejects when it could not be opened. */
  session(): Promise<Session>;
  /** Drops a block from every later request: the host's own workflow, which the policy may let discard. */
  discard(blockId: string): Promise<DirectiveOutcome['outcome']>;
  /** Ends the session; a later one with the same `sessionId` goes on with its log. */
  close(): Promise<void>;
}

/** Makes the middleware; tests give their own way to open a session. */
export function middleware<const Version extends 'v3' | 'v4' = 'v4'>(
  options: ContextLifecycleOptions<Version>,
  openSession: (options: SessionOptions) => Promise<Session>,
): ContextLifecycleMiddleware<Version> {
  const { sources = [], specificationVersion, onNotice = warn, limits, ...session } = options;
  let opening: Promise<AiSdkSession> | undefined;
  const start = async (): Promise<AiSdkSession> => {
    const texts = readSources(sources);
    const opened = await openSession({ agent: 'ai-sdk', format: aiSdkFormat, cwd: process.cwd(), ...session });
    try {
      return new AiSdkSession(opened, { sources: texts, onNotice, limits });
    } catch (error) {
      // one that stayed open would keep its log from the next try
      await opened.close().catch(() => undefined);
      throw error;
    }
  };
  const open = (): Promise<AiSdkSession> => {
    opening ??= start().catch((error: unknown) => {
      // the next call tries again
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    // the type parameter's default is v4 too
    specificationVersion: (specificationVersion ?? 'v4') as Version,
    async transformParams({ params, model }) {
      return (await open()).transform(params, model);
    },
    async wrapGenerate({ doGenerate, params, model }) {
      const send = { first: doGenerate, again: (planned: CallParams) => model.doGenerate(planned) };
      const { call, result } = await answered(await open(), params, send);
      call.finished(result);
      return result;
    },
    async wrapStream({ doStream, params, model }) {
      const send = { first: doStream, again: (planned: CallParams) => model.doStream(planned) };
      const { call, result } = await answered(await open(), params, send);
      return { ...result, stream: watchedStream(result.stream, params.abortSignal, call.ended) };
    },
    async session() {
      return (await open()).session;
    },
    async discard(blockId) {
      if (!isBlockId(blockId)) {
        throw new TypeError(`"${blockId}" is no block ID: it is made of a to z, 0 to 9, _ and -.`);
      }
      const { session: opened } = await open();
      const text = tagLine('discard', blockId);
      const [first] = opened.control({ source: 'ai-sdk:discard', class: 'host-workflow', text });
      return first?.outcome ?? 'denied';
    },
    async close() {
      await (await opening)?.session.close();
    },
  };
}

function warn(sentence: string): void {
  process.emitWarning(sentence, 'ContextLifecycle');
}
