import type { KnipConfig } from 'knip';
import { entries } from '../build/entries.ts';

/** Where execution starts: the bundles, the scripts that npm runs, and the tests. */
const config: KnipConfig = {
  entry: [
    ...entries.map(entry => `${entry.source}!`),
    'scripts/*.{ts,mjs}',
    'test/**/*.test.ts',
    'test/bench/{main,syncOnlyServer}.ts',
    'scripts/build/hostVersion.cjs',
    'scripts/check/lawSetUp.ts',
    'scripts/start/probe.ts',
    'test/host/{code.mjs,extensionHostEntry.cjs}',
    'test/inHost/{launch,index}.ts',
    'test/agents/gateway/readmePictures.ts',
    'test/agents/pi/readmePictures.ts',
    'test/ui/readmePictures.ts',
    'test/agents/pi/failingView.ts',
    'test/agents/pi/pausingView.ts',
    'test/agents/all/opencode/failingView.ts',
  ],
  // Run by their path (scripts/build/tools.ts), or by one of those that are.
  ignoreDependencies: [
    '@arethetypeswrong/cli',
    '@biomejs/biome',
    '@vscode/vsce',
    'markdownlint-cli2',
    'oxlint',
    'oxlint-tsgolint',
    'publint',
    // of test/agents, which has packages of its own
    /^@ai-sdk\/openai-compatible-\d$/,
    /^ai-\d$/,
    'zod',
  ],
  // Of the system.
  ignoreBinaries: ['mkfifo', 'script'],
  // A shape that a file exports describes what the file gives, also where nobody names it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  project: ['{protocol,local,adapter,server,client,cli,scripts,test}/**/*.{ts,mjs,cjs}'],
};

export default config;
