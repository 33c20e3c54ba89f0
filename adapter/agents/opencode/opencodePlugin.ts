import { sentenceOf, unsentSentence } from '../tell.ts';
import type { MessageInfo, OpencodeEvent, OpencodeHooks, OpencodeInput, OpencodeSessionInfo } from './opencodeApi.ts';
import { addCommands, isCommand, runCommand } from './opencodeCommands.ts';
import type { OpencodeSession } from './opencodeSession.ts';
import { OpencodeSessions, type OpenSession } from './opencodeSessions.ts';
import { type Tell, teller } from './opencodeTeller.ts';
import { OwnPrompts } from './ownPrompts.ts';

/** Thrown so that opencode asks no model: what the command says was shown. */
class CommandDoneError extends Error {
  override readonly name = 'CommandDoneError';
}

/**
 * The adapter for opencode. A handler that rejects ends opencode's run before anything is sent, with the sentence shown; so
 * those of a request let every error through, and those that only watch let none.
 */
export function opencodePlugin(
  input: OpencodeInput,
  openSession: OpenSession,
  tell: Tell = teller(input.client),
): OpencodeHooks {
  const { client } = input;
  const sessions = new OpencodeSessions(input, openSession, tell, process.env);
  const ownPrompts = new OwnPrompts(client);
  /** Sessions whose next list of messages is for a compaction, which is opencode's own call. */
  const compacting = new Set<string>();

  const knownAnswers = (id: string) => async (): Promise<boolean> => {
    const { data = [] } = await client.session.messages({ path: { id } });
    return data.some(({ info }) => info.role === 'assistant');
  };

  /** opencode says of some errors only that there was one. */
  const orTold = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      tell(unsentSentence(error), 'error');
      throw error;
    }
  };

  return {
    dispose: () => sessions.closeAll('opencode has ended'),
    config: async config => {
      addCommands(config);
      sessions.instructions = config.instructions ?? [];
    },
    event: async ({ event }) => {
      try {
        await heard(event, sessions);
      } catch (error) {
        tell(sentenceOf(error), 'error');
      }
    },
    'command.execute.before': async ({ command, sessionID, arguments: text }) => {
      if (isCommand(command)) {
        const open = await sessions.get(sessionID, knownAnswers(sessionID));
        open.load();
        const sentence = runCommand(command, open.session, text);
        tell(sentence);
        throw new CommandDoneError(sentence);
      }
    },
    'experimental.session.compacting': async ({ sessionID }) => {
      compacting.add(sessionID);
    },
    'experimental.chat.messages.transform': (_, { messages }) =>
      orTold(async () => {
        const id = messages[0]?.info.sessionID;
        if (id === undefined || compacting.delete(id)) {
          return;
        }
        const isAnswered = messages.some(({ info }) => info.role === 'assistant');
        const open = await sessions.get(id, async () => isAnswered);
        const view = await open.messages(messages);
        // opencode reads the very list that it gave
        messages.splice(0, messages.length, ...view);
      }),
    'experimental.chat.system.transform': ({ sessionID }, { system }) =>
      orTold(async () => {
        const open = await found(sessions, sessionID);
        const [text = ''] = system;
        if (open && !(await ownPrompts.begin(text))) {
          const whole = open.system(system.join('\n'));
          system.splice(0, system.length, whole);
        }
      }),
    'chat.params': ({ sessionID, agent, model }, parameters) =>
      orTold(async () => {
        if (agent === 'compaction') {
          // it may have been for a list without a message
          compacting.delete(sessionID);
        }
        await (await found(sessions, sessionID))?.parameters(agent, parameters, model);
      }),
  };
}

/** A session that could not be opened has sent nothing, and nothing is known of it. */
async function found(sessions: OpencodeSessions, id: string | undefined): Promise<OpencodeSession | undefined> {
  return id === undefined ? undefined : sessions.find(id);
}

async function heard({ type, properties }: OpencodeEvent, sessions: OpencodeSessions): Promise<void> {
  const { info, sessionID } = (properties ?? {}) as { readonly info?: unknown; readonly sessionID?: string };
  switch (type) {
    case 'session.created':
    case 'session.updated':
      sessions.heard(info as OpencodeSessionInfo);
      return;
    case 'session.deleted':
      await sessions.close((info as OpencodeSessionInfo).id, 'deleted');
      return;
    case 'message.updated': {
      const message = info as MessageInfo;
      (await found(sessions, message.sessionID))?.updated(message);
      return;
    }
    case 'session.idle': {
      const open = await found(sessions, sessionID);
      open?.givenUp();
      if (open?.isChild && sessionID !== undefined) {
        await sessions.close(sessionID, 'the sub-agent is done');
      }
      return;
    }
    default:
  }
}
