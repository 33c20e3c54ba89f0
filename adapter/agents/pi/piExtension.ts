import { homedir } from 'node:os';
import { sentenceOf, unsentSentence } from '../tell.ts';
import type { PiApi, PiContext } from './piApi.ts';
import { registerCommands } from './piCommands.ts';
import { agentFolder, agentVersion, sessionIdIn } from './piFiles.ts';
import { piFormat } from './piFormat.ts';
import { type OpenSession, PiSession } from './piSession.ts';
import { teller } from './piTeller.ts';

/**
 * The adapter for pi. pi makes an instance for each of its sessions. It goes on when a handler throws, and sends what it has:
 * so each handler ends in a sentence, and what keeps a request from being right keeps it from being sent.
 */
export function piExtension(pi: PiApi, openSession: OpenSession): void {
  let opened: PiSession | undefined;
  /** 0.73 says twice that a session starts which takes another's place. */
  let startedId: string | undefined;
  /** Of the request that is being built. */
  let asking: PiContext | undefined;
  /** Why no request may leave. */
  let fault: string | undefined = 'The session has not started.';

  const noted = async (context: PiContext, work: (open: PiSession) => void | Promise<void>): Promise<undefined> => {
    try {
      await (opened && work(opened));
    } catch (error) {
      teller(context)(sentenceOf(error), 'error');
    }
    return undefined;
  };

  pi.on('session_start', async ({ reason, previousSessionFile }, context) => {
    const id = context.sessionManager.getSessionId();
    if (id === startedId) {
      return;
    }
    startedId = id;
    try {
      const session = await openSession({
        ...optionsOf(reason, previousSessionFile, context),
        pause: why => asking && stop(asking, `The agent was stopped. ${why}`),
      });
      opened = new PiSession(session, pi, agentFolder(process.env, homedir()));
      fault = NOT_NAMED;
    } catch (error) {
      startedId = undefined;
      fault = sentenceOf(error);
      teller(context)(`No request will be sent: the session could not be opened. ${fault}`, 'error');
    }
  });
  pi.on('before_agent_start', async (event, context) => {
    try {
      if (!opened) {
        return undefined;
      }
      opened.load(event.systemPromptOptions, teller(context));
      const prompt = opened.prompt(event);
      fault = undefined;
      return prompt;
    } catch (error) {
      fault = `The context files could not be loaded. ${sentenceOf(error)}`;
      return undefined;
    }
  });
  pi.on('context', async ({ messages }, context) => {
    asking = context;
    try {
      if (!opened || fault !== undefined) {
        throw new Error(fault);
      }
      return { messages: await opened.view(messages, context) };
    } catch (error) {
      stop(context, unsentSentence(error));
      // where the abort comes too late, at least nothing of the transcript leaves
      return { messages: [] };
    }
  });
  pi.on('before_provider_request', ({ payload }, context) => noted(context, open => open.payload(payload)));
  pi.on('message_end', ({ message }, context) => noted(context, open => open.answered(message)));
  pi.on('session_shutdown', async ({ reason }, context) => {
    await noted(context, async open => {
      try {
        open.ended('aborted');
      } finally {
        await open.session.close(reason);
      }
    });
    opened = undefined;
    startedId = undefined;
    fault = 'The session has ended.';
  });
  registerCommands(pi, () => opened);
}

/**
 * In 0.73 other extensions can start a turn of which `before_agent_start` does not hear. Its system prompt shows the context
 * files as they are on disk, and with them each block that the session discarded before it was resumed.
 */
const NOT_NAMED = 'pi names its context files with your first prompt, and nothing is sent before it.';

/** Never throws: a handler that does lets pi send what it has. */
function stop(context: PiContext, sentence: string): void {
  try {
    context.abort();
    teller(context)(sentence, 'error');
  } catch {
    // pi has given the session up, and takes no word for it any more.
  }
}

function optionsOf(reason: string, previous: string | undefined, context: PiContext): Parameters<OpenSession>[0] {
  const { sessionManager } = context;
  const sessionId = sessionManager.getSessionId();
  const transcript = sessionManager.getSessionFile();
  const version = agentVersion();
  const parent = sessionManager.getHeader()?.parentSession ?? (reason === 'fork' ? previous : undefined);
  const forkedFrom = parent === undefined ? undefined : sessionIdIn(parent);
  return {
    agent: 'pi',
    ...(version === undefined ? {} : { agentVersion: version }),
    sessionId,
    hostSession: sessionId,
    cwd: context.cwd,
    format: piFormat,
    hasHistory: sessionManager.getEntries().some(({ type }) => type === 'message'),
    ...(transcript === undefined ? {} : { transcript }),
    ...(forkedFrom === undefined || forkedFrom === sessionId ? {} : { forkedFrom }),
  };
}
