import type { Folders } from '../../local/folders.ts';
import { listLogs } from '../../local/listLogs.ts';
import { reasonOf } from '../failure.ts';
import { amount, byteSize } from '../words.ts';
import { note, ok, problem, type Section } from './finding.ts';

/** Which logs are there, which are being written, and which cannot be used. */
export async function logsSection({ sessions }: Folders): Promise<Section> {
  const title = 'Session logs';
  try {
    const logs = await listLogs(sessions);
    const bytes = logs.reduce((sum, { size }) => sum + size, 0);
    return {
      title,
      findings: [
        ok(`${amount(logs.length, 'log')}, ${byteSize(bytes)}`),
        ...logs.flatMap(({ header, name, writer }) =>
          writer === undefined ? [] : [note(`session ${header?.id ?? name}: ${writer}`)],
        ),
        ...logs.flatMap(({ path, reason }) => (reason === undefined ? [] : [problem(`${path}: ${reason}`)])),
      ],
    };
  } catch (error) {
    return { title, findings: [problem(`${sessions}: ${reasonOf(error)}`)] };
  }
}
