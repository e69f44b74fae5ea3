import { html } from '../html.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { header, ICON } from '../header.ts'
import type { ApiDocuments } from '../../pipeline/openapi/document.ts'
import { definePage, type RunnableRoute } from '../../pipeline/route.ts'
import { HTML_TYPE, PAGE_HEADERS } from '../layout.ts'
import { FRAME_STYLE } from '../style.ts'
import type { Bundle } from './bundle.ts'
import { toConfiguration } from './configuration.ts'
import { scriptPath } from './script.ts'
import { REFERENCE_STYLE } from './style.ts'

const START = html`
  const element = document.getElementById('reference')
  Scalar.createApiReference(element, JSON.parse(element.dataset.configuration))
`

export const createReferencePage = (
  documents: ApiDocuments,
  loadBundle: () => Promise<Bundle>,
): RunnableRoute =>
  definePage('/reference', [], async () => {
    const script = scriptPath(await loadBundle())
    const nonce = newUuid()
    const headers = [...PAGE_HEADERS, 'content-security-policy', policy(nonce), 'cache-control', 'no-store']
    const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Portico</title>
${ICON}
<style>${FRAME_STYLE}${REFERENCE_STYLE}</style>
</head>
<body>
${header('/reference')}
<div id="reference" data-configuration="${JSON.stringify(toConfiguration(documents))}"></div>
<noscript>The API reference needs JavaScript. Its OpenAPI documents are at ${[...documents.keys()].map(
      (name) => html`<a href="/openapi/${name}.json">/openapi/${name}.json</a> `,
    )}</noscript>
<script nonce="${nonce}" src="${script}"></script>
<script nonce="${nonce}">${START}</script>
</body>
</html>
`
    return { status: 200, type: HTML_TYPE, headers, body: page.text }
  })

/** Allows only the page's two scripts, and requests to its own origin. The reference inserts its styles at run time. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
