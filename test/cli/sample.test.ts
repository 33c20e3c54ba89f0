import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NEAR_MISS_REASONS } from '../../protocol/lifecycle/problem.ts';
import { FINDING_CODES } from '../../server/check/finding.ts';
import { placesIn, run } from './cliKit.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const DRAFTS = 'sample/drafts-with-mistakes';

/** Everything but near misses, which have a test of their own. */
const EXPECTED = [
  'sample/CLAUDE.md:8:1 warning host-strips-comments',
  'sample/.github/copilot-instructions.md:7:1 warning block-id-conflict',
  `${DRAFTS}/blocks.context.md:5:1 error duplicate-block-id`,
  `${DRAFTS}/blocks.context.md:9:1 error duplicate-block-id`,
  `${DRAFTS}/blocks.context.md:17:1 error nested-block`,
  `${DRAFTS}/blocks.context.md:25:1 error mismatched-block-end`,
  `${DRAFTS}/blocks.context.md:30:1 error unexpected-block-end`,
  `${DRAFTS}/blocks.context.md:34:1 error unclosed-block`,
  `${DRAFTS}/discards.context.md:5:1 warning unknown-block`,
  `${DRAFTS}/discards.context.md:11:1 warning discard-inside-block`,
  `${DRAFTS}/examples.context.md:4:1 warning live-tag-in-code-fence`,
  `${DRAFTS}/examples.context.md:12:1 warning live-tag-in-code-fence`,
  `${DRAFTS}/examples.context.md:14:1 warning live-tag-in-code-fence`,
  `${DRAFTS}/examples.context.md:20:1 warning live-tag-in-code-fence`,
  `${DRAFTS}/examples.context.md:25:1 warning live-tag-in-code-fence`,
  `${DRAFTS}/encodings/byte-order-mark.context.md:1:1 note byte-order-mark`,
  `${DRAFTS}/encodings/invalid-utf8.context.md:1:8 note invalid-utf8`,
  `${DRAFTS}/encodings/lone-cr.context.md:1:26 note lone-cr`,
  `${DRAFTS}/encodings/mixed-line-ends.context.md:5:27 note mixed-line-ends`,
  `${DRAFTS}/encodings/utf-16.context.md:1:1 note utf-16`,
];

test('the sample shows every code, each at its place, and nothing outside the files that are named for it', async () => {
  const { stdout, stderr, exitCode } = await run(['check', 'sample'], { cwd });
  const places = placesIn(stdout);
  assert.equal(exitCode, 1);
  assert.equal(stderr, '');
  assert.deepEqual(places.filter(place => !place.endsWith(' malformed-tag')).sort(), [...EXPECTED].sort());
  for (const place of places.filter(found => found.endsWith(' malformed-tag'))) {
    assert.ok(place.startsWith(`${DRAFTS}/near-misses.context.md:`), place);
  }
  const codes = new Set(places.map(place => place.split(' ').at(-1)));
  assert.deepEqual(codes, new Set(FINDING_CODES));
});

test('the sample shows every reason of a near miss, one a line', async () => {
  const { stdout } = await run(['check', '--format', 'json', `${DRAFTS}/near-misses.context.md`], { cwd });
  const { findings } = JSON.parse(stdout) as { findings: { line: number; code: string; reason: string }[] };
  assert.deepEqual(new Set(findings.map(({ reason }) => reason)), new Set(NEAR_MISS_REASONS));
  assert.deepEqual(
    findings.map(({ code }) => code),
    findings.map(() => 'malformed-tag'),
  );
  const text = readFileSync(new URL(`../../${DRAFTS}/near-misses.context.md`, import.meta.url), 'utf8');
  const shown = text.split('\n').flatMap((line, index) => (line.includes('<!') ? [index + 1] : []));
  assert.deepEqual(
    findings.map(({ line }) => line),
    shown,
  );
});

test('our own docs are clean', async () => {
  const names = ['docs', 'media', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'sample/README.md'];
  const { stdout, stderr, exitCode } = await run(['check', '--fail-on', 'note', ...names], { cwd });
  assert.match(stdout, /^\d+ files checked: no problems found\.$/m);
  assert.deepEqual({ stderr, exitCode }, { stderr: '', exitCode: 0 });
});
