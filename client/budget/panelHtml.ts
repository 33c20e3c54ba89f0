import { randomBytes } from 'node:crypto';
import { env, Uri, type Webview } from 'vscode';

/** Where the page's script and style lie in the extension. */
export function pageFolders(extension: Uri): readonly Uri[] {
  return [Uri.joinPath(extension, 'dist'), Uri.joinPath(extension, 'media')];
}

/** The page of a budget before anything is drawn: it may run one script and use one style, both the extension's, and load nothing else. */
export function panelHtml(webview: Webview, extension: Uri): string {
  const [dist, media] = pageFolders(extension);
  const at = (folder: Uri | undefined, file: string): string =>
    attribute(folder ? webview.asWebviewUri(Uri.joinPath(folder, file)).toString() : '');
  const nonce = randomBytes(18).toString('base64');
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return [
    '<!DOCTYPE html>',
    `<html lang="${attribute(env.language)}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">`,
    `<link rel="stylesheet" href="${at(media, 'budget.css')}">`,
    '</head>',
    `<body><script nonce="${nonce}" src="${at(dist, 'budgetPage.js')}"></script></body>`,
    '</html>',
  ].join('\n');
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
