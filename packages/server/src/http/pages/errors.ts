import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { html } from './html.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import { routeNotFound } from '../pipeline/problem.ts'
import type { Services } from '../services.ts'
import { renderPage, toPageReply } from './layout.ts'

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text)

const LIST = toPageReply(
  renderPage(
    'Errors',
    html`<h1>Errors</h1>
        <p>Every error of the partner and operator API has a code, and every code has a page.</p>
        <ul>${Object.entries(ERRORS).map(
          ([code, { status, title }]) =>
            html`<li>${status} <a href="/errors/${code}">${code}</a> ${title}</li>`,
        )}</ul>`,
  ),
)

/** Target of `type` in problem bodies. */
export const ERROR_PAGES: readonly RunnableRoute[] = [
  definePage('/errors', [], () => LIST),
  definePage(
    '/errors/{code}',
    [],
    ({ params: { code = '' } }, { supportContact }: Pick<Services, 'supportContact'>) => {
      if (!isErrorCode(code)) throw routeNotFound()
      const { status, title, remedy } = ERRORS[code]
      const page = renderPage(
        title,
        html`<p class="kicker">${status} <code>${code}</code></p>
        <h1>${title}</h1>
        <p>${remedy}</p>
        <h2>If that does not help</h2>
        <p>Contact <strong>${supportContact}</strong> and give the <code>traceId</code> of the response, which is
          also in its <code>X-Request-Id</code> header.</p>
        <p><a href="/errors">All errors</a></p>`,
      )
      return toPageReply(page)
    },
  ),
]
