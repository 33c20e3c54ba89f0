import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

/** `test('…'`, or `test(title('…'`, where a function of the file puts something before it; `law('…'`, where one makes a test of it. */
const CALL = /(?<![.\w])(?:test|law)\(\s*(?:\w+\(\s*)?('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;

/** The titles of a file's tests as they stand in its code: a template has its placeholders. Skipped tests are no tests. */
export function testTitles(path: string): readonly string[] {
  const code = readFileSync(join(root, path), 'utf8').replace(/^\s*(?:\/\/|\*).*$/gm, '');
  return [...code.matchAll(CALL)].map(([, literal = '']) => literal.slice(1, -1).replace(/\\(['"`\\])/g, '$1'));
}
