import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../lib/html.ts'

const STYLE = `
  :root { color-scheme: light dark; --ink: light-dark(#1b2430, #e8edf3); --paper: light-dark(#fff, #12171e);
    --quiet: light-dark(#5b6776, #9aa7b5); --line: light-dark(#dde3ea, #2b3440); --accent: light-dark(#0b6b58, #5fd0b5); }
  body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
  main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.5rem; }
  h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
  h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
  a { color: var(--accent); }
  code { font: .9em ui-monospace, monospace; background: color-mix(in srgb, var(--line) 45%, transparent);
    padding: .1em .35em; border-radius: .25em; overflow-wrap: anywhere; }
  pre { overflow-x: auto; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .5rem; line-height: 1.45; }
  pre code { padding: 0; background: none; overflow-wrap: normal; }
  .kicker { color: var(--quiet); margin: 0 0 .25rem; }
  li { margin: .3rem 0; }
  footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); }
`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

export function sendPage(reply: FastifyReply, title: string, body: Html): string {
  reply.headers(HEADERS)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Portico</title>
<style>${STYLE}</style>
</head>
<body><main>${body}<footer>Portico, the partner API for building data and device control.</footer></main></body>
</html>
`.text
}
