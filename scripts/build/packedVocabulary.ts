import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** The best takes half a minute for a twelfth less. */
const QUALITY = 9;

/**
 * The tokenizer's vocabulary is 2 MB of JavaScript, which a .vsix only halves. The bundle holds it packed, and unpacks it when it is
 * first needed: in a thread that counts, and nowhere else.
 */
export const packedVocabulary: Plugin = {
  name: 'packed-vocabulary',
  setup(build) {
    build.onLoad({ filter: /[\\/]gpt-tokenizer[\\/]esm[\\/]bpeRanks[\\/]o200k_base\.js$/ }, async ({ path }) => {
      const { default: ranks } = (await import(pathToFileURL(path).href)) as { readonly default: unknown };
      const packed = brotliCompressSync(JSON.stringify(ranks), {
        params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
      });
      return {
        contents: [
          "import { brotliDecompressSync } from 'node:zlib';",
          `const packed = Buffer.from('${packed.toString('base64')}', 'base64');`,
          'export default JSON.parse(brotliDecompressSync(packed).toString());',
        ].join('\n'),
      };
    });
  },
};
