import type { FindingCode } from '../server/check/finding.ts';

/** Each code in one short sentence, for reports that list the rules; docs/diagnostics.md says more. */
export const SUMMARIES: Readonly<Record<FindingCode, string>> = {
  'malformed-tag': 'A line looks like a tag line but is ordinary Markdown.',
  'duplicate-block-id': 'A block ID is defined more than once in one document.',
  'nested-block': 'A block opens inside another block.',
  'mismatched-block-end': 'A closing line has another ID than the open block.',
  'unexpected-block-end': 'A closing line stands where no block is open.',
  'unclosed-block': 'A block is never closed.',
  'live-tag-in-code-fence': 'A tag line in code, front matter or raw HTML counts all the same.',
  'block-id-conflict': 'A context source that is loaded earlier defines the same block ID.',
  'unknown-block': 'A discard names a block that no context source defines.',
  'discard-inside-block': 'A discard line stands inside a block.',
  'host-strips-comments':
    'The agent that loads this file removes HTML comments, and tag lines with them; behind the gateway its blocks work.',
  'byte-order-mark': 'The file starts with a byte order mark.',
  'utf-16': 'The file is encoded in UTF-16.',
  'invalid-utf8': 'The file holds bytes that are not valid UTF-8.',
  'mixed-line-ends': 'The file mixes different line ends.',
  'lone-cr': 'The file has lines that end with a lone carriage return.',
};
