/** Imported before each file of unit tests, by Node's `--import`: no test has to know where its laws begin. */
import { configureGlobal } from 'fast-check';
import { lawSeed } from './lawSeed.ts';

const seed = lawSeed(process.env['LAW_SEED']);
if (seed !== undefined) {
  configureGlobal({ seed });
}
