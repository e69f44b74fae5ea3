import { ERRORS } from '../../kernel/errors.ts'
import { prefersHtml } from '../pipeline/negotiate.ts'
import { type FailureServices, renderProblem, stripQuery, toAppError } from '../pipeline/problem.ts'
import type { Surface } from '../pipeline/route.ts'
import type { Services } from '../services.ts'
import { type Html, html } from './html.ts'
import { renderPage, toPageReply } from './layout.ts'

type PagesServices = FailureServices & Pick<Services, 'supportContact' | 'hasConsole'>

/** Pages and documents. Errors are pages for browsers and problems for other clients. */
export const createPagesSurface = (services: PagesServices): Surface => ({
  prefix: '',
  apiVersion: undefined,
  isConditional: false,
  renderError(error, call) {
    const problem = renderProblem(error, call, services)
    const headers = [...(problem.headers ?? []), 'vary', 'accept']
    if (!prefersHtml(call)) return { ...problem, headers }
    const { code, message } = toAppError(error)
    const { status, title } = ERRORS[code]
    const isMissing = code === 'not-found'
    const page = toPageReply(
      renderPage(
        isMissing ? 'Page not found' : title,
        html`<p class="kicker">${status} <code>${code}</code></p>
<h1>${isMissing ? 'Page not found' : title}</h1>
<p>${isMissing ? html`There is no page at <code>${stripQuery(call.url)}</code>.` : message}</p>
${WHERE_TO_GO}
<p>If a link led you here, contact <strong>${services.supportContact}</strong> and give the request id
<code>${call.id}</code>.</p>`,
        services,
      ),
    )
    return { ...page, status, headers: [...headers, ...(page.headers ?? [])] }
  },
})

/** The surface of the paths below the tenant, which programs request: its unknown paths are always problems. */
export const createIssuerSurface = (services: FailureServices & Pick<Services, 'tenant'>): Surface => ({
  prefix: `/${services.tenant}`,
  apiVersion: undefined,
  isConditional: false,
  renderError: (error, call) => renderProblem(error, call, services),
})

const WHERE_TO_GO: Html = html`<ul>
<li><a href="/">Quickstart</a>: from credentials to the first data</li>
<li><a href="/docs">Documentation</a>: every document of the API</li>
<li><a href="/reference">API reference</a>: every operation, with a form to try it</li>
</ul>`
