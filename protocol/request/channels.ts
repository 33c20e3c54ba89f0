/** A way in which something reaches the model, and what it costs at a provider that caches the start of a request. */
export interface Channel {
  readonly channel: string;
  /** What it is for. */
  readonly content: string;
  /** How an adapter says it. */
  readonly call: string;
  /** Where the log has it. */
  readonly logged: string;
  readonly cost: string;
}

const PAID_ONCE =
  'Paid once, in the first request that holds it, and cached in all later ones; it stays until the host compacts.';

/**
 * Seed 2 and request-log 10: openers that hold for the whole instance belong in the prefix, what changes on the way belongs
 * behind what is there. There is no tail that is made anew for each request: it would be paid again in each.
 */
export const CHANNELS = [
  {
    channel: 'prefix',
    content:
      'What holds for the whole instance: a catalogue, a digest of instructions, the state of the workspace at the start',
    call: '`contributePrefix(listener)`',
    logged: '`messagePrefix` of the header',
    cost: 'Paid once an instance, and cached in every later request. It may go stale until the next resume.',
  },
  {
    channel: 'blocks',
    content: 'The active blocks, which come and go as V1 says',
    call: '`loadSource`, `control`',
    logged: 'The last message of `messagePrefix`; a change is a `request/header-delta`',
    cost: 'A change pays again for all messages behind the first block that changed; while nothing changes all is cached.',
  },
  {
    channel: 'inject',
    content: 'Something happened on the way: a file changed, an instruction was found, a reminder is due',
    call: '`inject(message, source)`',
    logged: '`host/message` with `after` and `channel: "inject"`; with no turn open, a turn of its own',
    cost: PAID_ONCE,
  },
  {
    channel: 'tool-context',
    content: 'What belongs to the result of a tool but is not in it',
    call: "`inject(message, source, 'tool-context')`",
    logged: '`host/message` with `after` and `channel: "tool-context"`, behind all results of the step',
    cost: PAID_ONCE,
  },
  {
    channel: 'prompt-context',
    content: 'What belongs to a prompt of the user but is not in it',
    call: "`inject(message, source, 'prompt-context')`",
    logged: '`host/message` with `after` and `channel: "prompt-context"`, behind the prompt',
    cost: PAID_ONCE,
  },
  {
    channel: 'system, tools',
    content: 'Instructions and tools of the host',
    call: '`buildRequest({system, tools})`',
    logged: 'The header; a change is a `request/header-delta`',
    cost: 'A change pays again from the first token that changed, which is nearly the whole request.',
  },
  {
    channel: 'config',
    content: 'Model and sampling',
    call: '`buildRequest({config})`',
    logged: 'The header; a change is a `request/header-delta`',
    cost: 'Another model has another cache: the whole request is paid again.',
  },
] as const satisfies readonly Channel[];

/** The channels as a Markdown table for the documentation. */
export function channelTable(): string {
  const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row('Channel', 'For', 'Call', 'In the log', 'Cost'),
    row('---', '---', '---', '---', '---'),
    ...CHANNELS.map(({ channel, content, call, logged, cost }) => row(channel, content, call, logged, cost)),
  ].join('\n');
}
