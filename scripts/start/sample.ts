import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test/host/profile.ts';
import { inRepository } from '../build/paths.ts';

/** Copies sample/ to a folder that is removed at the end: whoever plays with it leaves the repository as it was. */
export function copySample(): string {
  const copy = join(makeTemporaryFolder('sample'), 'sample');
  cpSync(inRepository('sample'), copy, { recursive: true });
  return copy;
}
