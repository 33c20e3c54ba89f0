import { existsSync } from 'node:fs';
import { inRepository } from '../build/paths.ts';
import { runNode, runTool } from '../build/tools.ts';
import { resultOf, type Step } from './step.ts';

/** The project's own pages; sample/ is bad on purpose. */
const ownPages = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs'];

/** Everything that reads code and pages without running them. */
export const lintSteps: readonly Step[] = [
  { name: 'lint', run: async () => resultOf(await runTool('oxlint', [])) },
  {
    name: 'unused',
    run: async () =>
      resultOf(await runTool('knip', ['--no-progress', '--no-config-hints', '--config', 'scripts/check/knip.ts'])),
  },
  { name: 'types', run: async () => resultOf(await runTool('typescript', ['-b'], 'tsc')) },
  { name: 'pages', run: async () => resultOf(await runTool('markdownlint-cli2', [])) },
  {
    name: 'own tags',
    run: async () => {
      const pages = ownPages.filter(page => existsSync(inRepository(page)));
      return resultOf(await runNode(['cli/main.ts', 'check', '--fail-on', 'note', ...pages]));
    },
  },
];
