import { EXAMPLE } from '@portico/wire/example-ids'
import { ERRORS, type ErrorCode, type ErrorEntry, FIELD_ERRORS } from '../../kernel/errors.ts'
import { getCause, ISSUER_ERRORS, type IssuerCode } from '../oauth/errors.ts'
import { toExampleTokenError } from '../oauth/example-error.ts'
import { toExampleError, toExampleProblem } from '../pipeline/example-problem.ts'
import { MARKDOWN_TYPE } from '../pipeline/reply.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import { routeNotFound } from '../pipeline/problem.ts'
import type { Services } from '../services.ts'
import { toV1Error } from '../v1/error.ts'
import { serveText } from './constant-document.ts'
import { type Html, html } from './html.ts'
import { markdownLink, renderPage, toPageReply } from './layout.ts'

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text)

const byStatus = (a: { status: number }, b: { status: number }): number => a.status - b.status

const API_ERRORS = Object.entries(ERRORS)
  .map(([code, entry]) => ({ code: code as ErrorCode, ...(entry as ErrorEntry) }))
  .toSorted(byStatus)

const TOKEN_ERRORS = Object.entries(ISSUER_ERRORS)
  .map(([code, entry]) => ({ code: Number(code) as IssuerCode, ...entry }))
  .toSorted(byStatus)

const ERRORS_STYLE = html`
  main, footer { max-width: 52rem; }
  .entry { margin: 0; padding: 1.25rem 0; border-top: 1px solid var(--line); }
  .entry h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; margin: 0 0 .5rem; font-size: 1.05rem; }
  .entry h3 .status { color: var(--accent); font-variant-numeric: tabular-nums; }
  .entry h3 a { color: inherit; text-decoration: none; }
  .entry h3 a:hover { text-decoration: underline; }
  .entry dl { display: grid; grid-template-columns: 5rem 1fr; gap: .25rem 1rem; margin: 0 0 .5rem; }
  .entry dt { color: var(--quiet); }
  .entry dd { margin: 0; }
  .entry summary { color: var(--quiet); cursor: pointer; font-size: .95rem; }
  .entry pre { margin-top: .5rem; font-size: .9rem; }
  @media (max-width: 30rem) { .entry dl { grid-template-columns: 1fr; gap: 0; } .entry dd { margin-bottom: .5rem; } }
`

/** An example of the body, in the form of the API that returns the error. */
const toBody = (code: ErrorCode, publicUrl: string): object =>
  ERRORS[code].example.path.startsWith('/v1/')
    ? toV1Error(toExampleError(code, publicUrl), EXAMPLE.traceId)
    : toExampleProblem(code, undefined, publicUrl)

interface Entry {
  id: string
  title: string
  code: string
  /** The path of its page. */
  path: string
  status: number
  cause: string
  remedy: string
  body: object
}

const renderEntry = ({ id, title, code, path, status, cause, remedy, body }: Entry): Html => html`
<section class="entry" id="${id}"><h3><span class="status">${status}</span> <a href="${path}">${title}</a> <code>${code}</code></h3>
<dl><dt>Cause</dt><dd>${cause}</dd><dt>Remedy</dt><dd>${remedy}</dd></dl>
<details><summary>Example</summary><pre tabindex="0" role="group" aria-label="Body of ${id}"><code>${JSON.stringify(body, null, 2)}</code></pre></details>
</section>`

/** `/errors`, and the target of `type` in problem bodies. */
export function createErrorPages({
  addresses,
  supportContact,
  isIssuer,
  hasConsole,
}: Pick<Services, 'addresses' | 'supportContact' | 'isIssuer' | 'hasConsole'>): RunnableRoute[] {
  const { publicUrl, authUrl } = addresses
  const api = API_ERRORS.map(({ code, status, title, cause, remedy }) => ({
    id: code,
    title,
    code,
    path: `/errors/${code}`,
    status,
    cause,
    remedy,
    body: toBody(code, publicUrl),
  }))
  const token = TOKEN_ERRORS.map(({ code, status, error, remedy }) => ({
    id: `AADSTS${code}`,
    title: error,
    code: String(code),
    path: `${new URL(authUrl).pathname}/error?code=${code}`,
    status,
    cause: getCause(code),
    remedy,
    body: toExampleTokenError(code, authUrl),
  }))
  const list = renderPage(
    'Errors',
    html`<h1>Errors</h1>
<p>Every error has a code, which does not change, and a page. Use the code in programs and the <code>detail</code> in logs.
The <code>traceId</code>, also in the <code>X-Request-Id</code> header, identifies the request in the log of the server.</p>
<h2 id="api">Partner and operator API</h2>
<p>The body is <code>application/problem+json</code>. Version 1 has <code>status</code>, <code>message</code> and <code>traceId</code> instead.
If particular fields are wrong, <code>errors</code> names each of them with one of the <a href="#fields">field error codes</a>.</p>
${api.map(renderEntry)}
<h2 id="fields">Field error codes</h2>
<p>The <code>code</code> of an entry of <code>errors</code>. More codes may be added.</p>
<div class="table" tabindex="0" role="group" aria-label="Field error codes"><table><thead><tr><th>Code</th><th>Meaning</th></tr></thead><tbody>
${Object.entries(FIELD_ERRORS).map(([code, meaning]) => html`<tr><td><code>${code}</code></td><td>${meaning}</td></tr>\n`)}</tbody></table></div>
${
  isIssuer
    ? html`<h2 id="token">Token endpoint</h2>
<p>The body is that of OAuth 2.0 with the code in <code>error_codes</code>.</p>
${token.map(renderEntry)}`
    : ''
}
<h2 id="help">If that does not help</h2>
<p>Contact <strong>${supportContact}</strong> and give the <code>traceId</code> or <code>trace_id</code>.</p>
${markdownLink('/errors.md')}`,
    { hasConsole, current: '/errors', style: ERRORS_STYLE },
  )
  const pages = new Map(
    API_ERRORS.map((entry) => [
      entry.code,
      renderErrorPage(entry, { publicUrl, supportContact, hasConsole }),
    ]),
  )
  return [
    definePage('/errors', [], () => toPageReply(list)),
    definePage(
      '/errors.md',
      [],
      serveText(MARKDOWN_TYPE, () => toMarkdown(api, isIssuer ? token : [], supportContact)),
    ),
    definePage('/errors/{code}', [], ({ params: { code = '' } }) => {
      const page = isErrorCode(code) ? pages.get(code) : undefined
      if (!page) throw routeNotFound()
      return toPageReply(page)
    }),
  ]
}

const toMarkdown = (
  api: readonly Entry[],
  token: readonly Entry[],
  supportContact: string,
): string => `# Errors

Every error has a code, which does not change, and a page. Use the code in programs and the \`detail\` in logs. The
\`traceId\`, also in the \`X-Request-Id\` header, identifies the request in the log of the server.

## Partner and operator API

The body is \`application/problem+json\`. Version 1 has \`status\`, \`message\` and \`traceId\` instead. If particular fields
are wrong, \`errors\` names each of them with one of the [field error codes](#field-error-codes).

${api.map(toMarkdownEntry).join('\n')}
## Field error codes

The \`code\` of an entry of \`errors\`. More codes may be added.

| Code | Meaning |
|---|---|
${Object.entries(FIELD_ERRORS)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join('\n')}
${
  token.length === 0
    ? ''
    : `
## Token endpoint

The body is that of OAuth 2.0 with the code in \`error_codes\`.

${token.map(toMarkdownEntry).join('\n')}`
}
## If that does not help

Contact **${supportContact}** and give the \`traceId\` or \`trace_id\`.
`

const toMarkdownEntry = ({
  status,
  title,
  code,
  cause,
  remedy,
  body,
}: Entry): string => `### ${status} ${title} (\`${code}\`)

- Cause: ${cause}
- Remedy: ${remedy}

\`\`\`json
${JSON.stringify(body, null, 2)}
\`\`\`
`

const renderErrorPage = (
  { code, status, title, cause, remedy }: (typeof API_ERRORS)[number],
  {
    publicUrl,
    supportContact,
    hasConsole,
  }: Pick<Services, 'supportContact' | 'hasConsole'> & { publicUrl: string },
) =>
  renderPage(
    title,
    html`<p class="kicker">${status} <code>${code}</code></p>
<h1>${title}</h1>
<h2>Cause</h2>
<p>${cause}</p>
<h2>Remedy</h2>
<p>${remedy}</p>
<h2>Example</h2>
<pre tabindex="0" role="group" aria-label="Example of a body"><code>${JSON.stringify(toBody(code, publicUrl), null, 2)}</code></pre>
<h2>If that does not help</h2>
<p>Contact <strong>${supportContact}</strong> and give the <code>traceId</code> of the response, which is also in its
<code>X-Request-Id</code> header.</p>
<p><a href="/errors">All errors</a></p>`,
    { hasConsole, current: '/errors' },
  )
