import { createHash } from 'node:crypto';
import { type DocumentTags, documentTags } from '../../client/editor/documentTags.ts';
import { tagMarks } from '../../client/editor/tagMarks.ts';
import { initialState, reduce } from '../../protocol/log/reduce.ts';
import { AGENTS, activated, loaded } from '../client/views/kit.ts';
import { logOf, opened } from '../protocol/log/sessions.ts';
import { bigDocument } from './corpus.ts';
import { medians, milliseconds, prepared, type Row, times } from './measure.ts';

const BYTES = 10_000_000;
const BLOCKS = 2_000;
const ROUNDS = 40;

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Issue 4, marks: what a session says of a large document's tag lines, after an edit; beside putting the document's text together. */
export async function marksRows(): Promise<readonly Row[]> {
  const lines = bigDocument(BYTES, BLOCKS).split('\n');
  const textNow = (): string => lines.join('\n');
  let edits = 0;
  const edit = (): void => {
    edits++;
    const line = 30_000 + (edits % 7) * 100;
    lines[line] = `x${lines[line]}`;
  };
  const first = documentTags(textNow(), sha256);
  const state = logOf([
    opened,
    loaded(
      AGENTS,
      first.blocks.map(({ id }) => id),
    ),
    ...first.blocks.map(({ id, range: { start, end } }) => {
      const { type, data } = activated(id) as Extract<ReturnType<typeof activated>, { type: 'block/activated' }>;
      return { type, data: { ...data, sha256: sha256(first.text.slice(start, end)) } };
    }),
  ]).reduce(reduce, initialState);
  const marks = (tags: DocumentTags) => tagMarks(tags, state, source => source === AGENTS);
  let before = first;
  const median = await medians(
    {
      ours: prepared(
        () => {
          edit();
          return textNow();
        },
        text => {
          before = documentTags(text, sha256, before);
          marks(before);
        },
      ),
      anew: prepared(textNow, text => marks(documentTags(text, sha256))),
      text: () => textNow(),
    },
    ROUNDS,
  );
  const ratio = median.ours / median.text;
  return [
    {
      work: `marks of a session after an edit in ${BYTES / 1e6} MB, ${BLOCKS} blocks`,
      ours: milliseconds(median.ours),
      peer: `joining its lines, as VS Code does ${milliseconds(median.text)}; marks anew ${milliseconds(median.anew)}`,
      ratio: times(ratio),
      bar: '<= 1x',
      met: ratio <= 1,
    },
  ];
}
