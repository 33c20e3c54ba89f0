import type { SymbolInformation } from 'vscode-languageserver';
import type { Project } from '../check/project.ts';
import { BLOCK_SYMBOL } from './documentSymbol.ts';
import { placeOf } from './shared/places.ts';
import { isSubsequence } from './shared/subsequence.ts';

export const MAX_WORKSPACE_SYMBOLS = 500;

/**
 * The blocks of all context sources whose ID holds the query's characters in this order, whatever their letter case:
 * exact starts first, then the query in one piece, then the rest, each in load order. An empty query asks for all. At
 * most `MAX_WORKSPACE_SYMBOLS`.
 */
export function workspaceSymbol(query: string, projects: readonly Project[]): SymbolInformation[] {
  const wanted = query.toLowerCase();
  const ranks: [SymbolInformation[], SymbolInformation[], SymbolInformation[]] = [[], [], []];
  for (const source of projects.flatMap(project => project.sources)) {
    for (const declaration of source.declarations) {
      const rank = declaration.kind === 'opening' ? rankOf(declaration.id, wanted) : undefined;
      const found = rank === undefined ? undefined : ranks[rank];
      if (found && found.length < MAX_WORKSPACE_SYMBOLS) {
        const { uri, line } = placeOf({ source, declaration });
        found.push({
          name: declaration.id,
          kind: BLOCK_SYMBOL,
          location: { uri, range: line },
          containerName: source.path,
        });
      }
    }
  }
  return ranks.flat().slice(0, MAX_WORKSPACE_SYMBOLS);
}

function rankOf(id: string, wanted: string): 0 | 1 | 2 | undefined {
  const at = id.indexOf(wanted);
  if (at >= 0) {
    return at === 0 ? 0 : 1;
  }
  return isSubsequence(wanted, id) ? 2 : undefined;
}
