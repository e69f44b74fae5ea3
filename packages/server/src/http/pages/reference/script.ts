import { definePage, type RunnableRoute } from '../../pipeline/route.ts'
import { routeNotFound } from '../../pipeline/problem.ts'
import { constantReply } from '../constant-document.ts'
import type { Bundle } from './bundle.ts'

/** The path changes with the content, so browsers may cache it forever. */
export const scriptPath = ({ hash }: Bundle): string => `/reference/script/${hash}.js`

export const createReferenceScriptRoute = (loadBundle: () => Promise<Bundle>): RunnableRoute =>
  definePage('/reference/script/{file}', [], async (call) => {
    const bundle = await loadBundle()
    if (call.url !== scriptPath(bundle)) throw routeNotFound()
    return constantReply(
      call,
      { hash: bundle.hash, load: (coding) => bundle[coding] },
      { type: 'text/javascript; charset=utf-8', cacheControl: 'public, max-age=31536000, immutable' },
    )
  })
