import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'
import type { Reply } from '../pipeline/reply.ts'
import { header, ICON, type Navigation } from './header.ts'
import { STYLE } from './style.ts'

/** Page-specific additions to the layout. */
export interface Extras extends Navigation {
  style?: Html
  script?: Html
}

export const HTML_TYPE = 'text/html; charset=utf-8'
export const PAGE_HEADERS = ['referrer-policy', 'no-referrer'] as const

/** A page that is rendered once and can be sent any number of times. */
export interface RenderedPage {
  bytes: Buffer
  securityPolicy: string
}

export const toPageReply = ({ bytes, securityPolicy }: RenderedPage): Reply => ({
  status: 200,
  type: HTML_TYPE,
  headers: [...PAGE_HEADERS, 'content-security-policy', securityPolicy],
  body: bytes,
})

/** Ends a page that is also available as Markdown. */
export const markdownLink = (path: string): Html =>
  html`<p class="source">This page as <a href="${path}">Markdown</a>.</p>`

/** The policy allows only the styles and the script contained in this page, and nothing from other origins. */
export function renderPage(title: string, body: Html, extras: Extras): RenderedPage {
  const { style, script } = extras
  const styles = style ? [STYLE, style] : [STYLE]
  const securityPolicy = [
    "default-src 'none'",
    `style-src ${styles.map(toCspHash).join(' ')}`,
    `script-src ${script ? toCspHash(script) : "'none'"}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Portico</title>
${ICON}
${styles.map(
  (text) => html`<style>${text}</style>
`,
)}</head>
<body>
${header(extras)}
<main>${body}</main>
<footer>Portico, the partner API for building data and device control.</footer>
${script ? html`<script>${script}</script>` : ''}
</body>
</html>
`
  return { bytes: Buffer.from(text), securityPolicy }
}

const toCspHash = ({ text }: Html): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
