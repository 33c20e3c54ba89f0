import assert from 'node:assert/strict';

/** What no line of any output may hold: a terminal or a runner would obey it. */
export function assertHarmless(output: string, context: string): void {
  for (const line of output.split('\n')) {
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u, `${context}: ${JSON.stringify(line)}`);
    assert.doesNotMatch(line, /##[a-z]*\[/i, `${context}: ${line}`);
  }
}
