import { commentStrippingHost } from '../../protocol/lifecycle/commentStrippingHosts.ts';
import type { CheckedDocument } from './checkedDocument.ts';
import type { UnratedFinding } from './finding.ts';

/**
 * One finding, at the first tag line that is lost, in a file whose agent removes HTML comments: every line there has
 * the same fate. Lines in code fences stay, and have a finding of their own.
 */
export function strippedByHost({ path, outline }: CheckedDocument): readonly UnratedFinding[] {
  const host = commentStrippingHost(path);
  if (!host) {
    return [];
  }
  const fenced = new Set(
    outline.problems.filter(({ code }) => code === 'live-tag-in-code-fence').map(({ range }) => range.start),
  );
  const first = outline.declarations.find(({ range }) => !fenced.has(range.start));
  if (!first) {
    return [];
  }
  return [
    {
      code: 'host-strips-comments',
      range: first.range,
      message: {
        template:
          '{0} {1} and later removes {2}, so the tag lines of this file reach neither the model nor a hook. Blocks work all the same behind the gateway, which reads the file itself and takes them out of what {0} shows.',
        values: [host.agent, host.since, host.stripped],
      },
      related: [],
    },
  ];
}
