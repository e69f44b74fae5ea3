import { HTML_TYPE } from '../pages/layout.ts'
import { prefersHtml } from '../pipeline/negotiate.ts'
import { renderProblem, type FailureServices } from '../pipeline/problem.ts'
import type { HeaderList } from '../pipeline/reply.ts'
import { ready } from '../pipeline/gates.ts'
import type { Gate, Surface } from '../pipeline/route.ts'

const HEADERS: HeaderList = [
  'content-security-policy',
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy',
  'same-origin',
  'cross-origin-resource-policy',
  'same-origin',
  'referrer-policy',
  'no-referrer',
]

const securityHeaders: Gate = {
  pass(call) {
    call.replyHeaders.push(...HEADERS)
  },
}

/** The web console: its page, its files and the calls that sign a browser in and out. */
export const createConsoleSurface = (services: FailureServices, unavailablePage: string): Surface => ({
  prefix: '/console',
  apiVersion: undefined,
  isConditional: false,
  renderError(error, call) {
    const reply = renderProblem(error, call, services)
    return reply.status === 503 && prefersHtml(call)
      ? { ...reply, type: HTML_TYPE, body: unavailablePage }
      : reply
  },
})

/** For files, which need no store. */
export const ASSET_GATES: readonly Gate[] = [securityHeaders]

export const CONSOLE_GATES: readonly Gate[] = [securityHeaders, ready]

export const NO_STORE: HeaderList = ['cache-control', 'no-store']
