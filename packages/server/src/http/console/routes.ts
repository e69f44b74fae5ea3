import { constantReply, createDocument } from '../pages/constant-document.ts'
import type { RunnableRoute } from '../pipeline/route.ts'
import type { Services } from '../services.ts'
import { toAssetPath } from './app-page.ts'
import { IMMUTABLE } from './assets.ts'
import { createConsolePage } from './page.ts'
import { SESSION_ROUTES } from './session-routes.ts'
import { renderUnavailable } from './sign-in-page.ts'
import { CONSOLE_STYLE } from './style.ts'
import { ASSET_GATES } from './surface.ts'

const loadStyle = createDocument(() => CONSOLE_STYLE.text)

/** The routes below /console, and the page for all other paths there. */
export function createConsoleRoutes({ isIssuer }: Pick<Services, 'isIssuer'>): {
  routes: RunnableRoute[]
  page: RunnableRoute
  /** The page of a server that is not ready. */
  unavailablePage: string
} {
  const styleName = `sign-in-${loadStyle().hash}.css`
  const assets: RunnableRoute = {
    method: 'GET',
    path: '/assets/{file}',
    gates: ASSET_GATES,
    handle(call, { consoleAssets }: Pick<Services, 'consoleAssets'>) {
      const { file = '' } = call.params
      if (file === styleName)
        return constantReply(call, loadStyle(), { type: 'text/css; charset=utf-8', cacheControl: IMMUTABLE })
      return consoleAssets.serve(file, call.headers['accept-encoding'])
    },
  }
  return {
    // Without the built-in issuer, there are no sessions.
    routes: [assets, ...(isIssuer ? SESSION_ROUTES : [])],
    page: createConsolePage(toAssetPath(styleName)),
    unavailablePage: renderUnavailable(toAssetPath(styleName)),
  }
}
