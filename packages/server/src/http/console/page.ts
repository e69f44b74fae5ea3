import { html } from '../pages/html.ts'
import type { Call } from '../pipeline/call.ts'
import { routeNotFound } from '../pipeline/problem.ts'
import type { Reply } from '../pipeline/reply.ts'
import type { RunnableRoute } from '../pipeline/route.ts'
import type { Services } from '../services.ts'
import { renderApp } from './app-page.ts'
import { CLEAR_COOKIE, readCookie } from './cookie.ts'
import { htmlReply, renderDocument } from './document.ts'
import { type FlashCode, isFlashCode } from './flash.ts'
import { findLiveSession, type LiveSession, type SessionServices } from './live-session.ts'
import { toNextPage } from './next.ts'
import { canSignIn } from './origin.ts'
import { loadPageData, type PageDataServices } from './page-data.ts'
import { renderNeedsHttps, renderNotBuilt, renderSignIn } from './sign-in-page.ts'
import { CONSOLE_GATES, NO_STORE } from './surface.ts'

type PageServices = SessionServices &
  PageDataServices &
  Pick<Services, 'addresses' | 'consoleAssets' | 'isIssuer' | 'supportContact'>

/**
 * Browsers withhold the cookie (`SameSite=Strict`) from a request that follows a link on another site. They send it
 * when the page reloads itself.
 */
const RELOAD = renderDocument(
  html`<title>Console · Portico</title><meta http-equiv="refresh" content="0">`,
  html``,
)

const isFromOtherSite = ({ headers }: Call): boolean => headers['sec-fetch-site'] === 'cross-site'

async function replyWithApp(
  call: Call,
  services: PageServices,
  stylePath: string,
  found: LiveSession | undefined,
): Promise<Reply> {
  const { consoleAssets, addresses, isIssuer } = services
  const manifest = await consoleAssets.loadManifest()
  if (!manifest) return htmlReply(503, renderNotBuilt(stylePath))
  const data = found && (await loadPageData(call, found, services))
  return htmlReply(200, renderApp(manifest, addresses, isIssuer, data))
}

function replyWithSignIn(call: Call, services: PageServices, stylePath: string): Reply {
  const { addresses, supportContact } = services
  const address = URL.parse(call.url, 'http://localhost')
  const isSignIn = address?.pathname === '/console/sign-in'
  const flash = isSignIn ? address.searchParams.get('flash') : null
  const hasEnded = readCookie(call.headers) !== undefined
  if (!canSignIn(call.request, addresses.publicUrl))
    return htmlReply(200, renderNeedsHttps(stylePath, addresses.publicUrl))
  const shown: FlashCode | undefined = isFlashCode(flash) ? flash : hasEnded ? 'ended' : undefined
  const next = toNextPage(isSignIn ? address.searchParams.get('next') : call.url)
  const page = renderSignIn({ stylePath, flash: shown, next, supportContact })
  return htmlReply(200, page, hasEnded ? ['set-cookie', CLEAR_COOKIE] : [])
}

/** GET /console and every other path below it: the application, or the sign-in form without a live session. */
export const createConsolePage = (stylePath: string): RunnableRoute => ({
  method: 'GET',
  path: '',
  gates: CONSOLE_GATES,
  async handle(call, services: PageServices) {
    if (call.method !== 'GET' && call.method !== 'HEAD') throw routeNotFound()
    const found = services.isIssuer ? await findLiveSession(call, services) : undefined
    if (!services.isIssuer || found)
      return isSignInPath(call) ? redirectHome(call) : replyWithApp(call, services, stylePath, found)
    if (isFromOtherSite(call) && readCookie(call.headers) === undefined) return htmlReply(200, RELOAD)
    return replyWithSignIn(call, services, stylePath)
  },
})

const isSignInPath = ({ url }: Call): boolean =>
  URL.parse(url, 'http://localhost')?.pathname === '/console/sign-in'

const redirectHome = ({ url }: Call): Reply => ({
  status: 303,
  type: undefined,
  headers: [
    ...NO_STORE,
    'location',
    toNextPage(URL.parse(url, 'http://localhost')?.searchParams.get('next')),
  ],
  body: undefined,
})
