import { CodeActionKind } from 'vscode-languageserver';
import type { Message } from '../../../protocol/lifecycle/text.ts';
import type { Finding } from '../../check/finding.ts';
import { suppressionChange } from '../../check/suppression.ts';
import type { OpenDocument } from '../../document.ts';
import { lineAround, lineEndOf } from '../shared/lines.ts';
import type { ActionOffer } from './offer.ts';

/** The first-line comment that turns the finding's code off for this file, for files that teach the protocol. */
export function suppression(finding: Finding, document: OpenDocument): ActionOffer {
  const text = document.text.getText();
  const { code } = finding;
  return {
    key: `suppress:${code}`,
    title: { template: "Turn '{0}' off for this file with a comment on its first line", values: [code] },
    kind: CodeActionKind.QuickFix,
    findings: [finding],
    preferred: false,
    ...disabledBy(text),
    changes: () => [suppressionChange(text, code, lineEndOf(text))],
  };
}

function disabledBy(text: string): { readonly disabled?: Message } {
  const first = text.slice(0, lineAround(text, 0).end).trimEnd();
  if (first !== '---' && first !== '+++') {
    return {};
  }
  return {
    disabled: {
      template:
        "This file starts with front matter, which must stay on the first line: name the file under 'exclude' instead.",
      values: [],
    },
  };
}
