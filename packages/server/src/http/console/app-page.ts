import type { Addresses } from '../../config/config.ts'
import { getVersion } from '../../kernel/version.ts'
import { header } from '../pages/header.ts'
import { html, jsonText } from '../pages/html.ts'
import type { ConsoleManifest } from './assets.ts'
import { renderDocument } from './document.ts'
import type { PageData } from './page-data.ts'

export const toAssetPath = (name: string): string => `/console/assets/${name}`

/** The page into which the script renders the console; the script reads the facts in `meta`. */
export function renderApp(
  { script, style, preload }: ConsoleManifest,
  { baseUrl, baseUrlV1, authUrl, operatorUrl, publicUrl }: Addresses,
  isIssuer: boolean,
  data: PageData | undefined,
): string {
  const facts: Record<string, string> = {
    // With `token`, there are no sessions: the script asks for an access token of the external issuer.
    'sign-in': isIssuer ? 'session' : 'token',
    'public-url': publicUrl,
    'base-url': baseUrl,
    'base-url-v1': baseUrlV1,
    'auth-url': isIssuer ? authUrl : '',
    'operator-url': operatorUrl,
    version: getVersion(),
  }
  return renderDocument(
    html`<title>Console · Portico</title>
${Object.entries(facts).map(
  ([name, content]) => html`<meta name="portico-${name}" content="${content}">
`,
)}<link rel="stylesheet" href="${toAssetPath(style)}">
${preload.map(
  (name) => html`<link rel="modulepreload" href="${toAssetPath(name)}">
`,
)}<script type="module" src="${toAssetPath(script)}"></script>`,
    html`${header({ hasConsole: true, current: '/console' })}
<div id="app"></div>
${data ? html`<script type="application/json" id="page-data">${jsonText(data)}</script>` : ''}
<noscript><p>The console needs JavaScript. Everything that it shows is also available through the API:
<a href="/docs">documentation</a>, <a href="/reference">API reference</a>.</p></noscript>`,
  )
}
