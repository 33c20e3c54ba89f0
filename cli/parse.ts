import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { parseDocument } from '../protocol/lifecycle/document.ts';
import { STRUCTURAL_CODES } from '../protocol/lifecycle/problem.ts';
import { renderMessage } from '../protocol/lifecycle/text.ts';
import { decodeBytes } from '../server/check/decodeBytes.ts';
import { complain, EXIT, isClosedPipe, openStdin, readStdin } from './command.ts';
import { EMPTY_NAME, reasonOf } from './failure.ts';
import { inputLines, textOfLine } from './jsonLines.ts';
import { printableJson } from './printable.ts';
import { openRegularFile, readRegularFile } from './regularFile.ts';
import { STDIN } from './sourceFile.ts';

const HELP = `
With --jsonl each input line is an object {"text": "..."}, and each output line what that text parses to: a program
that claims to follow the protocol can be compared with this one. A line that is none is reported on standard error.

What the bytes show beside the text, such as an encoding, is noted on standard error.

Exit code: 0, or 2 when something could not be read. What is wrong with the tags does not change it.`;

/** Adds `parse [file]`. */
export function addParseCommand(program: Command): void {
  program
    .command('parse')
    .summary('show what one document declares')
    .description('Print as JSON what one Markdown document declares.')
    .argument('[file]', 'the document; "-" or nothing for standard input', '-')
    .option('--jsonl', 'read JSON Lines with one text each, write JSON Lines')
    .addHelpText('after', HELP)
    .action(async (file: string, flags: { jsonl?: true }) => {
      if (file === '') {
        complain(EMPTY_NAME.path, EMPTY_NAME.reason);
        process.exitCode = EXIT.unreadable;
        return;
      }
      try {
        process.exitCode = await (flags.jsonl ? parseLines(file) : parseOne(file));
      } catch (error) {
        complain(shownName(file), reasonOf(error, file));
        process.exitCode = EXIT.unreadable;
      }
    });
}

function shownName(file: string): string {
  return file === '-' ? STDIN : file;
}

/** The result has no place for notes about bytes, and is not changed by them: they go to standard error. */
async function parseOne(file: string): Promise<number> {
  const { text, notes } = decodeBytes(file === '-' ? await readStdin() : readRegularFile(file));
  process.stdout.write(`${printableJson(parsedJson(text), 2)}\n`);
  for (const { code, line, message } of notes) {
    complain(`${shownName(file)}:${line}`, `${renderMessage(message)} [${code}]`);
  }
  return EXIT.clean;
}

async function parseLines(file: string): Promise<number> {
  let exitCode: number = EXIT.clean;
  await pipeline(
    file === '-' ? openStdin() : openRegularFile(file),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const line of inputLines(chunks)) {
        try {
          yield `${printableJson(parsedJson(textOfLine(line)))}\n`;
        } catch (error) {
          complain(`${shownName(file)}:${line.number}`, reasonOf(error));
          exitCode = EXIT.unreadable;
        }
      }
    },
    process.stdout,
    { end: false },
  ).catch((error: unknown) => {
    if (!isClosedPipe(error)) {
      throw error;
    }
  });
  return exitCode;
}

/** The members of DESIGN's public surface, in its order. */
function parsedJson(text: string): object {
  const { problems, ...declared } = parseDocument(text);
  const structural = problems
    .filter(({ code }) => STRUCTURAL_CODES.has(code))
    .map(({ code, line }) => ({ code, line }));
  return { ...declared, structural, problems };
}
