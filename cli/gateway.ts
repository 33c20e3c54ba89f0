import { type Command, Option } from 'commander';
import type { ServeFlags } from './gateway/serve.ts';
import type { GatewayFlags } from './gateway/settings.ts';
import { readPort, readSession, readSource, readUpstream } from './gateway/settings.ts';
import { outputStyle } from './style.ts';

const HELP = `
Examples:
  context-lifecycle gateway run --source AGENTS.md -- codex
  context-lifecycle gateway run -- claude --model sonnet
  context-lifecycle gateway --source AGENTS.md

Exit code: 0, also after Ctrl-C; 2 when no gateway could be started; of "run" that of the agent.`;

/** Adds `gateway`, with `gateway run` and `gateway hook`. */
export function addGatewayCommand(program: Command): void {
  // Else the options behind "run" would be taken for those of "gateway", and be lost.
  program.enablePositionalOptions();
  const gateway = program
    .command('gateway')
    .summary('let Claude Code, Codex or Gemini CLI obey the tags')
    .description('Stand between an agent and its model API on this machine, and obey the tags in each request.')
    .enablePositionalOptions();
  withGatewayOptions(gateway)
    .option('--json', 'print the address as one line of JSON, and end when standard input is closed')
    .addHelpText('after', HELP)
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./gateway/serve.ts');
      process.exitCode = await serve(flags, outputStyle());
    });
  withGatewayOptions(gateway.command('run'))
    .summary('start an agent together with a gateway that it uses')
    .description('Start a gateway and an agent that uses it; both end together.')
    .argument('<command...>', 'the agent and its arguments, behind "--"')
    .passThroughOptions()
    .action(async (words: readonly string[], flags: GatewayFlags) => {
      const { runAgent } = await import('./gateway/runAgent.ts');
      process.exitCode = await runAgent(words, flags);
    });
  gateway
    .command('hook')
    .summary('for hooks of agents: hand what they say on to the gateway')
    .description('Hand standard input on to the gateway that CONTEXT_LIFECYCLE_GATEWAY names, and print its answer.')
    .argument('<name>', 'such as claude-instructions')
    .action(async (name: string) => {
      const { passHookOn } = await import('./gateway/hook.ts');
      process.exitCode = await passHookOn(name, process.env);
    });
}

function withGatewayOptions(command: Command): Command {
  return command
    .option('--port <number>', 'listen there; 0 takes a free one', readPort, 0)
    .option('--source <file>', 'a context file whose blocks count; may be given more than once', readSource)
    .option('--upstream <api=url>', 'send the requests of anthropic, openai or gemini there', readUpstream)
    .addOption(
      new Option('--on-failure <what>', 'what becomes of a request that cannot be prepared').choices([
        'refuse',
        'pass',
      ]),
    )
    .option('--session <name>', 'for agents that send no session of their own', readSession);
}
