import { lint } from 'markdownlint/sync';
import { parseDocument } from '../../protocol/lifecycle/document.ts';
import { corpus } from './corpus.ts';
import { medians, milliseconds, type Row, times } from './measure.ts';
import { parseWithRegexes } from './regexParser.ts';

const FILES = 5_000;
/** markdownlint takes seconds for what we do in milliseconds, so it gets a slice and is scaled up. */
const LINT_SHARE = 20;

/** DESIGN (Speed), row 1: ordinary Markdown through the exact grammar. */
export async function parseCorpus(): Promise<readonly Row[]> {
  const texts = corpus(FILES);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  let kept = 0;
  const median = await medians(
    {
      ours: () => {
        for (const text of texts) {
          kept += parseDocument(text).blocks.length;
        }
      },
      regexes: () => {
        for (const text of texts) {
          kept += parseWithRegexes(text).blocks.length;
        }
      },
      bare: () => {
        for (const text of texts) {
          for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', at + 4)) {
            kept++;
          }
        }
      },
    },
    9,
  );
  const lintMedian = await medians({ markdownlint: () => lintSlice(texts) }, 1);
  const size = `${FILES} files, ${(characters / 1e6).toFixed(0)} MB`;
  const faster = median.regexes / median.ours;
  const overBare = median.ours / median.bare;
  const overLint = (lintMedian.markdownlint * LINT_SHARE) / median.ours;
  return [
    {
      work: `parse ${size}`,
      ours: milliseconds(median.ours),
      peer: `regex parser ${milliseconds(median.regexes)}`,
      ratio: `${times(faster)} faster`,
      bar: '>= 20x',
      met: faster >= 20,
    },
    {
      work: `parse ${size}`,
      ours: milliseconds(median.ours),
      peer: `bare indexOf ${milliseconds(median.bare)}`,
      ratio: times(overBare),
      bar: '<= 2x',
      met: overBare <= 2,
    },
    {
      work: `lint ${size}`,
      ours: milliseconds(median.ours),
      peer: `markdownlint ~${milliseconds(lintMedian.markdownlint * LINT_SHARE)}`,
      ratio: `${times(overLint)} faster`,
      bar: 'printed',
    },
  ];

  function lintSlice(all: readonly string[]): void {
    const strings = Object.fromEntries(all.slice(0, all.length / LINT_SHARE).map((text, index) => [`${index}`, text]));
    kept += Object.keys(lint({ strings })).length;
  }
}
