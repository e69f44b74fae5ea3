import type { Addresses } from '../../config/config.ts'
import { toShellWord } from '../../kernel/shell.ts'
import { type Html, html } from './html.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import type { Services } from '../services.ts'
import { serveByDemo, servePage } from './constant-document.ts'
import { renderPage } from './layout.ts'
import { callsSection } from './quickstart/calls.ts'
import { codeBlock, COPY_SCRIPT } from './quickstart/code-block.ts'
import { QUICKSTART_STYLE } from './quickstart/style.ts'

/** The quickstart page: from credentials to the first data, with the addresses of this installation. */
export function createLandingPage({
  addresses,
  supportContact,
  isIssuer,
  hasConsole,
  demoFile,
}: Pick<Services, 'addresses' | 'supportContact' | 'isIssuer' | 'hasConsole' | 'demoFile'>): RunnableRoute {
  const toBody = (
    isDemo: boolean,
  ): Html => html`<p class="kicker">Partner API · <code>${addresses.publicUrl}</code></p>
<h1>Building data and device control for your backend</h1>
<p class="lead">Devices, spaces, consumption and climate of the buildings you were granted, and schedules for their devices.</p>
${accountSection(addresses, supportContact, isIssuer, isDemo ? demoFile : undefined)}
${callsSection(isIssuer, addresses.publicUrl)}
${addressesSection(addresses, isIssuer)}
${NEXT}
<section aria-labelledby="help"><h2 id="help">Help</h2>
<p>Contact <strong>${supportContact}</strong>. Every response has an <code>X-Request-Id</code> header, and every error repeats it as
<code>traceId</code>. Include it, so that your request can be found in the log.</p></section>`
  const extras = { hasConsole, current: '/', style: QUICKSTART_STYLE, script: COPY_SCRIPT } as const
  const serve = serveByDemo((isDemo) => servePage(() => renderPage('Quickstart', toBody(isDemo), extras)))
  return definePage('/', [], serve)
}

const demoAccount = (
  file: string,
): Html => html`<p>This is the demo: it has written all of this to a file on its machine.</p>
${codeBlock(`set -a; . ${toShellWord(file)}; set +a`, 'Demo account')}`

const accountSection = (
  { authUrl, baseUrl }: Addresses,
  contact: string,
  isIssuer: boolean,
  demoFile: string | undefined,
): Html => {
  const lines = [
    ...(isIssuer ? [`export PORTICO_AUTH_URL=${authUrl}`] : []),
    `export PORTICO_BASE_URL=${baseUrl}`,
    ...(isIssuer
      ? ['export PORTICO_CLIENT_ID=your-client-id', 'export PORTICO_CLIENT_SECRET=your-client-secret']
      : []),
    'export PORTICO_SITE_ID=your-site-uuid',
  ]
  return html`<section aria-labelledby="account"><h2 id="account">Your account</h2>
<p>Credentials come from <strong>${contact}</strong>. Keep the secret in your backend’s configuration: it must never be in a browser,
an app or a repository. The examples read it from the environment.</p>
${codeBlock(lines.join('\n'), 'Your account')}
${demoFile === undefined ? '' : demoAccount(demoFile)}
</section>`
}

const addressesSection = ({ authUrl, baseUrl, operatorUrl }: Addresses, isIssuer: boolean): Html => {
  const issuer: [string, string][] = [
    ['auth_url', authUrl],
    ['Token endpoint', `${authUrl}/oauth2/v2.0/token`],
  ]
  const rows: [name: string, address: string][] = [
    ...(isIssuer ? issuer : []),
    ['base_url', baseUrl],
    ['Operator API', operatorUrl],
  ]
  return html`<section aria-labelledby="addresses"><h2 id="addresses">Addresses</h2>
<dl class="addresses">${rows.map(
    ([name, address]) => html`
<div><dt>${name}</dt><dd><code>${address}</code><button class="copy" type="button" hidden>Copy</button></dd></div>`,
  )}
</dl></section>`
}

const NEXT = html`<section aria-labelledby="next"><h2 id="next">Where to go next</h2>
<ul class="next">
<li><h3><a href="/reference">API reference</a></h3><p>Every operation with its parameters and responses, and a form to try it with your token.</p></li>
<li><h3><a href="/docs">Documentation</a></h3><p>Tokens, series, schedules, limits and the migration from version 1, in detail.</p></li>
<li><h3><a href="/docs/sdk">SDKs</a></h3><p>Clients for <a href="/docs/sdk#installing-the-typescript-sdk">TypeScript</a> and <a href="/clients/portico.py">Python</a> that handle tokens, retries and limits.</p></li>
<li><h3>OpenAPI</h3><p>Generate a client: <a href="/openapi/v2.json">version 2</a>, <a href="/openapi/v1.json">version 1</a>, <a href="/openapi/operator.json">operator</a>.</p></li>
<li><h3><a href="/errors">Errors</a></h3><p>Every error code, what it means and what to do about it.</p></li>
<li><h3><a href="/deprecations">Version 1</a></h3><p>The replacement of each of its endpoints.</p></li>
</ul></section>`
