import { html } from '../pages/html.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import { routeNotFound } from '../pipeline/problem.ts'
import { renderPage, toPageReply } from '../pages/layout.ts'
import type { Services } from '../services.ts'
import { getCause, ISSUER_ERRORS, isIssuerCode } from './errors.ts'

/** Target of `error_uri`. */
export const createIssuerErrorPage = ({
  tenant,
  hasConsole,
}: Pick<Services, 'tenant' | 'hasConsole'>): RunnableRoute =>
  definePage(`/${tenant}/error`, [], (call, { supportContact }: Pick<Services, 'supportContact'>) => {
    const code = Number(URL.parse(call.url, 'http://localhost')?.searchParams.get('code') ?? Number.NaN)
    if (!isIssuerCode(code)) throw routeNotFound()
    const { status, error, remedy } = ISSUER_ERRORS[code]
    const page = renderPage(
      `AADSTS${code}`,
      html`<p class="kicker">Token endpoint · ${status} <code>${error}</code></p>
        <h1>AADSTS${code}</h1>
        <p>${getCause(code)}</p>
        <h2>Remedy</h2>
        <p>${remedy}</p>
        <h2>If that does not help</h2>
        <ol>
          <li>Check the credentials: the <code>client_id</code> issued at onboarding and the secret’s value, not its ID.</li>
          <li>Check that all required parameters are present with correct values: <code>client_id</code>,
            <code>client_secret</code>, <code>scope</code> and <code>grant_type=client_credentials</code>.</li>
          <li>Check that <code>scope</code> is <code>api://&lt;client_id&gt;/.default</code>.</li>
          <li>Contact <strong>${supportContact}</strong>, and give the <code>trace_id</code> and the <code>timestamp</code>.</li>
        </ol>`,
      { hasConsole },
    )
    return toPageReply(page)
  })
