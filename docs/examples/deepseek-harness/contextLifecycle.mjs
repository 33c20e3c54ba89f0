// Experimental: an adapter for DeepSeek Harness (dsh) 0.1.0-rc.8, as a plug-in that is named by its absolute path.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { openSession, seedTwoFormat } from 'context-lifecycle/adapter';

export const name = 'context-lifecycle';
export const inject = ['llm'];

/** dsh's messages are those of seed 2; beside them stands who made each, which no text can forge. */
const format = {
  ...seedTwoFormat,
  name: 'dsh',
  describe(message) {
    const described = seedTwoFormat.describe(message);
    const { kind, plugin } = message.source ?? {};
    if (described.role !== 'user' || kind === 'user' || kind === 'tool') {
      return described;
    }
    // What a plug-in, a catalogue or the loader of instructions wrote is no message of the user, and may hold anybody's words.
    const source = kind === 'plugin' ? `plugin:${plugin}` : String(kind);
    return { ...described, units: described.units.map(unit => ({ ...unit, class: 'repository-file', source })) };
  },
};

/**
 * `options`: `cwd`, the folder that instruction files are named relative to; and what `openSession` takes, such as `folder`. Another
 * plug-in discards a block with `ctx.emit('context-lifecycle/discard', sessionId, blockId)`, a person does it in the editor.
 */
export function apply(ctx, options = {}) {
  const { cwd = process.cwd(), dshHome = process.env.DSH_HOME ?? join(homedir(), '.dsh'), ...rest } = options;
  const sessions = new Map();
  /** Requests of ours that go through the same event once more. */
  const ours = new WeakSet();

  const sessionOf = id => {
    const known =
      sessions.get(id) ??
      openSession({ ...rest, agent: 'dsh', agentVersion: '0.1.0-rc.8', sessionId: id, cwd, format });
    sessions.set(id, known);
    return known;
  };

  ctx.on('llm/stream', function (request, next) {
    // A title or a compaction is no request of the conversation.
    return ours.has(request) || request.purpose !== undefined || request.sessionId === undefined
      ? next()
      : stream(request);
  });
  ctx.on('context-lifecycle/discard', async (sessionId, blockId) => {
    const session = await sessionOf(sessionId);
    session.control({ source: name, class: 'host-workflow', text: `<!--DISCARD_BLOCK:${blockId}-->\n` });
  });
  ctx.effect(() => async () => {
    for (const session of sessions.values()) {
      await (await session).close();
    }
  });

  /** Whatever throws here ends the request before it is sent. */
  async function* stream({ messages, system, tools, signal, ...config }) {
    const session = await sessionOf(config.sessionId);
    await loadInstructions(session, messages);
    const { sessionId: _, ...named } = config;
    const sealed = await session.buildRequest({
      messages: withoutDefinitions(session, messages),
      ...(system !== undefined && { system }),
      ...(tools !== undefined && { tools }),
      config: named,
      ...(signal && { signal }),
    });
    const request = {
      ...config,
      ...(signal && { signal }),
      ...(system !== undefined && { system }),
      ...(tools && { tools }),
    };
    // The blocks' message is ours, so it has no id and no source yet; both are needed in dsh.
    request.messages = sealed.messages.map((message, index) =>
      message.source
        ? message
        : { id: `context-lifecycle-${index}`, source: { kind: 'plugin', plugin: name }, ...message },
    );
    ours.add(request);
    let outcome = 'aborted';
    let usage;
    try {
      for await (const chunk of ctx.llm.stream(request)) {
        if (chunk.type === 'usage') {
          usage = usageOf(chunk.usage);
        } else if (chunk.type === 'finish') {
          outcome = outcomeOf(chunk.reason);
        }
        yield chunk;
      }
    } finally {
      session.response(sealed.requestSequence, { outcome, ...(usage && { usage }) });
      session.receipt(sealed.requestSequence, { result: 'not-reported' });
    }
  }

  /** Trust comes from the files on disk that dsh says it loaded, never from the text that it shows. */
  async function loadInstructions(session, messages) {
    for (const { source } of messages) {
      for (const { path, action } of source?.kind === 'agent-instructions' ? (source.changes ?? []) : []) {
        const file = path.startsWith('~/.dsh/')
          ? join(dshHome, path.slice(7))
          : path.startsWith('$DSH_HOME/')
            ? join(dshHome, path.slice(10))
            : resolve(cwd, path);
        const text = action === 'remove' ? undefined : await readFile(file, 'utf8').catch(() => undefined);
        if (text !== undefined) {
          session.loadSource({ source: file, class: 'context-file', text });
        }
      }
    }
  }
}

/** dsh shows the files that it loaded in a message of its own: their blocks are taken out of that copy. */
function withoutDefinitions(session, messages) {
  return messages.map(message =>
    message.source?.kind === 'agent-instructions'
      ? {
          ...message,
          content: message.content.map(block =>
            block.type === 'text' ? { ...block, text: session.withoutDefinitions(block.text) } : block,
          ),
        }
      : message,
  );
}

function outcomeOf(reason) {
  const { kind } = reason;
  return kind === 'error' ? 'failed' : kind === 'aborted' ? 'aborted' : 'completed';
}

/** dsh counts what came from a cache and what went into it beside the rest of the input. */
function usageOf({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }) {
  return {
    input: inputTokens + cacheReadTokens + cacheWriteTokens,
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
  };
}
