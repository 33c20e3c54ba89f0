import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './measure.ts';

/** Real Markdown: every .md file of the installed packages, as bytes. */
function realMarkdown(): readonly Buffer[] {
  const modules = path.join(root, 'node_modules');
  return readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .sort()
    .map(name => readFileSync(path.join(modules, name)));
}

/** The same files over and over, each decoded anew, until `files` strings stand side by side. */
export function corpus(files: number): readonly string[] {
  const real = realMarkdown();
  return Array.from({ length: files }, (_, index) => real[index % real.length]?.toString('utf8') ?? '');
}

/** One document of `bytes` ASCII characters with `blocks` valid blocks and ordinary prose between them. */
export function bigDocument(bytes: number, blocks: number): string {
  const each = Math.floor(bytes / blocks);
  const prose = 'The service keeps its state in one table, and each request reads the newest row.\n';
  let text = '';
  for (let index = 0; index < blocks; index++) {
    const opening = `## Part ${index}\n\n<!--BLOCK_ID:part-${index}-->\n`;
    const closing = `<!--/BLOCK_ID:part-${index}-->\n\n`;
    text += opening + prose.repeat(Math.floor((each - opening.length - closing.length) / prose.length)) + closing;
  }
  return text;
}

/** A folder of `files` Markdown files, about `bytes` in all; every tenth one defines a block. */
export function writeTree(folder: string, files: number, bytes: number): void {
  const prose = 'Write small functions. Name things in the words of the field, and test what you promise.\n';
  const body = prose.repeat(Math.ceil(bytes / files / prose.length));
  for (let index = 0; index < files; index++) {
    const parent = path.join(folder, `team-${index % 100}`, `service-${index % 10}`);
    mkdirSync(parent, { recursive: true });
    const tags =
      index % 10 === 0 ? `<!--BLOCK_ID:block-${index}-->\nKeep this.\n<!--/BLOCK_ID:block-${index}-->\n` : '';
    writeFileSync(path.join(parent, `note-${index}.context.md`), `# Note ${index}\n\n${tags}${body}`);
  }
}
