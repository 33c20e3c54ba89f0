import { URI } from 'vscode-uri';

/**
 * One key for all spellings of a URI: percent encoding and the case of a Windows drive letter are made equal
 * (editor-bugs 49), everything else keeps its case and its fragment (editor-bugs 47). A text that is no URI is its own key.
 */
export function uriKey(uri: string): string {
  return parseUri(uri)?.toString() ?? uri;
}

/** The parsed URI; undefined when the text is none. */
export function parseUri(uri: string): URI | undefined {
  try {
    return URI.parse(uri, true);
  } catch {
    return undefined;
  }
}
