import type { Plugin } from 'esbuild';

/**
 * undici holds its parser of HTTP twice, with and without SIMD, in 50 kB each. Bundles have the one without, to which undici falls back
 * where there is no SIMD: a gateway reads the heads of answers with it, nothing more.
 */
export const oneHttpParser: Plugin = {
  name: 'one-http-parser',
  setup(build) {
    build.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ resolveDir, kind }) =>
      build.resolve('../llhttp/llhttp-wasm.js', { resolveDir, kind }),
    );
  },
};
