import { html } from '../html.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { header, ICON } from '../header.ts'
import type { ApiDocuments } from '../../pipeline/openapi/document.ts'
import { definePage, type RunnableRoute } from '../../pipeline/route.ts'
import { HTML_TYPE, PAGE_HEADERS } from '../layout.ts'
import { FRAME_STYLE } from '../style.ts'
import { type Bundle, scriptPath } from './bundle.ts'
import { documentPath } from './documents.ts'

const START = html`
  const element = document.getElementById('reference')
  Scalar.createApiReference(element, JSON.parse(element.dataset.configuration))
`

export const createReferencePage = (
  documents: ApiDocuments,
  loadBundle: () => Promise<Bundle>,
  hasConsole: boolean,
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
${header({ hasConsole, current: '/reference' })}
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

/** Configuration of the API reference: a source for each surface, and no access to other hosts. */
const toConfiguration = (documents: ApiDocuments) => ({
  sources: [...documents].map(([name, { title }]) => ({
    slug: name,
    title,
    url: documentPath(name),
  })),
  authentication: { preferredSecurityScheme: 'accessToken' },
  // A pasted token is discarded with the page.
  persistAuth: false,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The reference uses a modified document; the page links to the published ones.
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenAllTags: true,
  theme: 'none',
})

/**
 * Gives the reference the colours of the other pages. It has its own light/dark switch, which the navigation bar
 * follows.
 */
const REFERENCE_STYLE = html`
  body { margin: 0; background: var(--paper); }
  .bar { position: sticky; top: 0; z-index: 20; height: var(--scalar-custom-header-height); flex-wrap: nowrap; }
  :root { --scalar-custom-header-height: 3.5rem; --scalar-font: system-ui, sans-serif; --scalar-font-code: var(--mono); }
  /* On small screens, the links need several rows, so the navigation bar scrolls away with the page. */
  @media (max-width: 54rem) { :root { --scalar-custom-header-height: 0px; } .bar { position: static; height: auto; } }
  body.light-mode { color-scheme: light; }
  body.dark-mode { color-scheme: dark; }
  .light-mode, .dark-mode { --scalar-background-1: var(--paper); --scalar-background-2: var(--raised);
    --scalar-border-color: var(--line); --scalar-color-1: var(--ink); --scalar-color-2: var(--quiet);
    --scalar-color-accent: var(--accent); }
  .ascii-art { visibility: hidden; }
  /* Hidden: the choice of the only authentication method, and links to other hosts. */
  .scalar-app button[aria-describedby][id^="headlessui-popover-button"],
  a[href*="scalar.com"] { display: none !important; }
`
