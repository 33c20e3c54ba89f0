import { countTokens as bareCount } from 'gpt-tokenizer/encoding/o200k_base';
import { o200kTokens } from '../../adapter/tokens/o200k.ts';
import { corpus } from './corpus.ts';
import { medians, milliseconds, type Row, times } from './measure.ts';

const FILES = 400;
/** Short enough that the bare library comes to an end: its work grows with the square of it. */
const LONG_RUN = 16_000;

/** specs/tokens.md: the cut of long runs costs next to nothing on ordinary text, and saves everything on a hostile one. */
export async function countTokens(): Promise<readonly Row[]> {
  const texts = corpus(FILES);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const asText = { disallowedSpecial: new Set<string>() };
  let tokens = 0;
  let runs = 0;
  // Another one each time, for the library remembers what it has encoded.
  const run = () => ' \n'.repeat(LONG_RUN / 2 + runs++);
  const countAll = (count: (text: string) => number) => {
    for (const text of texts) {
      tokens += count(text);
    }
  };
  const ordinary = await medians(
    { ours: () => countAll(o200kTokens), bare: () => countAll(text => bareCount(text, asText)) },
    5,
  );
  const hostile = await medians({ ours: () => o200kTokens(run()), bare: () => bareCount(run(), asText) }, 3);
  const size = `${(characters / 1e6).toFixed(1)} MB`;
  const speed = (ms: number) => `${(characters / 1e3 / ms).toFixed(1)} MB/s`;
  return [
    {
      work: `count tokens of ${size}, warm`,
      ours: speed(ordinary.ours),
      peer: `gpt-tokenizer alone ${speed(ordinary.bare)}`,
      ratio: times(ordinary.ours / ordinary.bare),
      bar: 'printed',
    },
    {
      work: `count tokens of ${LONG_RUN / 1000} kB of blanks and line ends`,
      ours: milliseconds(hostile.ours),
      peer: `gpt-tokenizer alone ${milliseconds(hostile.bare)}`,
      ratio: `${times(hostile.bare / hostile.ours)} faster`,
      bar: 'printed',
    },
  ];
}
