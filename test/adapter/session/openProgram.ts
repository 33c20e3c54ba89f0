/** Tries to open a session in a folder, and says on standard output what came of it. */
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { openSession } from '../../../adapter/openSession.ts';

const [, , folder = ''] = argv;
try {
  const session = await openSession({ agent: 'test', folder, config: { announce: false, countTokens: false } });
  writeSync(1, `opened ${session.id}\n`);
  await session.close();
} catch (error) {
  writeSync(1, `${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
}
