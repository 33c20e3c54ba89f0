import { takePendingHandoff } from '../../local/pendingHandoff.ts';

/** Takes what waits in a working folder and prints it: another process of pendingHandoff.test.ts. */
const [folder = '', cwd = ''] = process.argv.slice(2);
process.stdout.write(`${takePendingHandoff({ folder, cwd, agent: 'pi' })?.text ?? 'nothing'}\n`);
