import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientSupportOf } from '../../../server/features/clientSupport.ts';

test('a client that declares nothing gets the plainest form of everything', () => {
  assert.deepEqual(clientSupportOf({}), {
    markdownHover: false,
    markdownCompletion: false,
    snippets: false,
    definitionLinks: false,
    hierarchicalSymbols: false,
    lineFoldingOnly: false,
    regionFolding: true,
    foldingLimit: Number.POSITIVE_INFINITY,
    documentChanges: false,
    codeActions: false,
    resolvesEdits: false,
    disabledActions: false,
    preferredActions: false,
  });
});

test('edits are resolved later only where the client keeps an action’s data', () => {
  const resolveSupport = { properties: ['edit'] };
  const supports = (codeAction: object) => clientSupportOf({ textDocument: { codeAction } }).resolvesEdits;
  assert.equal(supports({ resolveSupport, dataSupport: true }), true);
  assert.equal(supports({ resolveSupport }), false);
  assert.equal(supports({ resolveSupport: { properties: ['command'] }, dataSupport: true }), false);
});
