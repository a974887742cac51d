import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** A page: nothing but its own script and styles, no network, no inline styles. */
export function pageHtml(webview: vscode.Webview, extension: vscode.Uri, bundle: 'page' | 'query' = 'page'): string {
  const nonce = randomBytes(16).toString('base64');
  const at = (...path: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(extension, ...path)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    'img-src data:',
  ].join('; ');
  const strings = JSON.stringify(vscode.l10n.bundle ?? {}).replace(/</g, '\\u003c');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at('dist', `${bundle}.css`)}">
<title>Offshoot</title>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="strings" nonce="${nonce}">${strings}</script>
<script type="module" nonce="${nonce}" src="${at('dist', `${bundle}.js`)}"></script>
</body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replace(/[^\w-]/g, '');
}
