import { MARKDOWN_TYPE } from '../../pipeline/reply.ts'
import { definePage, type RunnableRoute } from '../../pipeline/route.ts'
import { routeNotFound } from '../../pipeline/problem.ts'
import type { Services } from '../../services.ts'
import { type DemoServe, serveByDemo, servePage, serveText } from '../constant-document.ts'
import { type Html, html } from '../html.ts'
import type { PagePath } from '../header.ts'
import { markdownLink, renderPage } from '../layout.ts'
import { COPY_SCRIPT } from '../quickstart/code-block.ts'
import {
  type Document,
  DOCUMENT_GROUPS,
  DOCUMENTS,
  type DocumentSlug,
  readChangelog,
  readDocument,
} from './documents.ts'
import { renderMarkdown } from './markdown.ts'
import { ARTICLE_STYLE, DOCS_STYLE } from './style.ts'

const TEXT_TYPE = 'text/plain; charset=utf-8'

type DocsServices = Pick<Services, 'addresses' | 'demoFile' | 'mqttUrl' | 'tenant' | 'hasConsole'>

/** The documents of the API as pages and as Markdown, the changelog, and the index for language models. */
export function createDocsRoutes({
  addresses,
  demoFile,
  mqttUrl,
  tenant,
  hasConsole,
}: DocsServices): RunnableRoute[] {
  const { publicUrl } = addresses
  const show = (title: string, body: Html, current: PagePath, style = DOCS_STYLE) =>
    renderPage(title, body, { hasConsole, current, style, script: COPY_SCRIPT })

  const documents = new Map<string, DemoServe>()
  for (const { slug, title } of DOCUMENTS) {
    const read = (isDemo: boolean): string =>
      readDocument(slug, { ...addresses, demoFile: isDemo ? demoFile : undefined, mqttUrl, tenant })
    const page = (isDemo: boolean) =>
      show(title, withNavigation(slug, toRelative(read(isDemo), publicUrl)), '/docs')
    documents.set(
      slug,
      serveByDemo((isDemo) => servePage(() => page(isDemo))),
    )
    documents.set(
      `${slug}.md`,
      serveByDemo((isDemo) => serveText(MARKDOWN_TYPE, () => linkToMarkdown(read(isDemo), publicUrl))),
    )
  }
  const changelog = () =>
    show(
      'Changelog',
      html`${renderMarkdown(toRelative(readChangelog(addresses), publicUrl))}${markdownLink('/changelog.md')}`,
      '/changelog',
      ARTICLE_STYLE,
    )

  return [
    definePage(
      '/docs',
      [],
      servePage(() => show('Documentation', INDEX, '/docs')),
    ),
    definePage(
      '/docs.md',
      [],
      serveText(MARKDOWN_TYPE, () => toMarkdownIndex(publicUrl)),
    ),
    definePage('/docs/{document}', [], (call, services: Pick<Services, 'isDemo'>) => {
      const { document = '' } = call.params
      const moved = MOVED.get(document)
      if (moved !== undefined)
        return { status: 308, type: undefined, headers: ['location', moved], body: undefined }
      const serve = documents.get(document)
      if (!serve) throw routeNotFound()
      return serve(call, services)
    }),
    definePage('/changelog', [], servePage(changelog)),
    definePage(
      '/changelog.md',
      [],
      serveText(MARKDOWN_TYPE, () => linkToMarkdown(readChangelog(addresses), publicUrl)),
    ),
    definePage(
      '/llms.txt',
      [],
      serveText(TEXT_TYPE, () => toLlmsText(publicUrl)),
    ),
  ]
}

/** Addresses that readers guess. */
const MOVED = new Map([
  ['', '/docs'],
  ['quickstart', '/'],
])

/** Pages link within the origin at which they were opened. */
const toRelative = (markdown: string, publicUrl: string): string =>
  markdown.replaceAll(`](${publicUrl}/`, '](/')

/** Links to pages that exist as Markdown lead to the Markdown. */
const linkToMarkdown = (markdown: string, publicUrl: string): string =>
  markdown.replace(/(\]\([^)\s]*\/(?:docs\/[\w-]+|errors|deprecations|changelog))(?=[#)])/g, (link) =>
    link.startsWith(`](${publicUrl}/`) ? `${link}.md` : link,
  )

const withNavigation = (current: DocumentSlug, markdown: string): Html => html`<div class="docs">
<nav class="contents" aria-label="Documents">${DOCUMENT_GROUPS.map(
  ({ group, documents }) => html`<p>${group}</p><ul>${documents.map(({ slug, title }) =>
    slug === current
      ? html`<li><a href="/docs/${slug}" aria-current="page">${title}</a></li>`
      : html`<li><a href="/docs/${slug}">${title}</a></li>`,
  )}</ul>
`,
)}</nav>
<article>${renderMarkdown(markdown)}
${nextLink(current)}
${markdownLink(`/docs/${current}.md`)}</article>
</div>`

/** Leads to the document after this one. */
function nextLink(current: DocumentSlug): Html {
  const next = DOCUMENTS[DOCUMENTS.findIndex(({ slug }) => slug === current) + 1]
  return next ? html`<p class="next">Next: <a href="/docs/${next.slug}">${next.title}</a></p>` : html``
}

const INDEX = html`<h1>Documentation</h1>
<p class="lead">Start with the <a href="/">quickstart</a>; try calls in the <a href="/reference">API reference</a>. Every
document below is also available as Markdown; <a href="/llms.txt">/llms.txt</a> lists them for language models.</p>
${DOCUMENT_GROUPS.map(
  ({ group, documents }) => html`<h2>${group}</h2>
<ul class="cards">${documents.map(
    ({ slug, title, summary }) => html`
<li><h3><a href="/docs/${slug}">${title}</a></h3><p>${summary}</p></li>`,
  )}
</ul>
`,
)}
${markdownLink('/docs.md')}`

const toMarkdownIndex = (publicUrl: string): string => `# Documentation

The [quickstart](${publicUrl}/) and the [API reference](${publicUrl}/reference) are web pages.
${DOCUMENT_GROUPS.map(
  ({ group, documents }) => `
## ${group}

${documents.map((document) => toMarkdownItem(document, publicUrl)).join('\n')}
`,
).join('')}`

const toMarkdownItem = ({ slug, title, summary }: Document, publicUrl: string): string =>
  `- [${title}](${publicUrl}/docs/${slug}.md): ${summary}`

/** The index that language models read first (llmstxt.org). */
const toLlmsText = (publicUrl: string): string => `# Portico

> A partner API for building data and device control. Backends call it with OAuth 2.0 client credentials.

## Documents

${DOCUMENTS.map((document) => toMarkdownItem(document, publicUrl)).join('\n')}
- [Errors](${publicUrl}/errors.md): Every code with its cause, its remedy and an example.
- [Retirement of version 1](${publicUrl}/deprecations.md): The replacement and the end date of each endpoint.
- [Changelog](${publicUrl}/changelog.md): What changed, by release.

## API descriptions

- [Version 2](${publicUrl}/openapi/v2.json): OpenAPI 3.1
- [Version 1](${publicUrl}/openapi/v1.json): OpenAPI 3.1, deprecated
- [Operator API](${publicUrl}/openapi/operator.json): OpenAPI 3.1

## Optional

- [Quickstart](${publicUrl}/): Examples for curl, TypeScript and Python (a web page)
`
