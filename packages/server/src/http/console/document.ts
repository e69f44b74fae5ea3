import { header, ICON } from '../pages/header.ts'
import { type Html, html } from '../pages/html.ts'
import { HTML_TYPE } from '../pages/layout.ts'
import type { HeaderList, Reply } from '../pipeline/reply.ts'
import { NO_STORE } from './surface.ts'

/**
 * With `no-referrer`, the policy in the header, browsers send `Origin: null` with a form. The policy of the document
 * takes precedence: `same-origin` keeps the Origin, and still sends nothing to other sites.
 */
const SENDS_ORIGIN = html`<meta name="referrer" content="same-origin">`

export const renderDocument = (head: Html, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${SENDS_ORIGIN}
${head}
${ICON}
</head>
<body>
${body}
</body>
</html>
`.text

/** A card in the frame of the other pages. */
export const renderCard = (title: string, stylePath: string, card: Html, head: Html = html``): string =>
  renderDocument(
    html`<title>${title} · Portico</title>
<link rel="stylesheet" href="${stylePath}">
${head}`,
    html`${header({ hasConsole: true, current: '/console' })}
<main><div class="card">${card}</div></main>`,
  )

export const htmlReply = (status: number, body: string, headers: HeaderList = []): Reply => ({
  status,
  type: HTML_TYPE,
  headers: [...NO_STORE, ...headers],
  body,
})
