import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { writeOutput } from './build/outputs.ts';
import { filesUnder, inRepository } from './build/paths.ts';
import { parseFile } from './l10n/syntax.ts';
import { templatesIn } from './l10n/templates.ts';

/** Whose sentences people read in the editor. */
const rooms = ['protocol', 'server', 'client'];

export const bundleFile = 'l10n/bundle.l10n.json';

/** The text of the bundle that translators start from: every sentence, in English, in alphabetical order. */
export function bundleText(): string {
  const files = rooms.flatMap(room =>
    filesUnder(room)
      .filter(path => path.endsWith('.ts'))
      .map(path => parseFile(`${room}/${path}`, readFileSync(inRepository(room, path), 'utf8'))),
  );
  const sentences = [...templatesIn(files)].toSorted();
  return `${JSON.stringify(Object.fromEntries(sentences.map(sentence => [sentence, sentence])), undefined, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeOutput(bundleFile, bundleText());
}
