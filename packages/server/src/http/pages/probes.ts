import { type HeaderList, jsonReply } from '../pipeline/reply.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import type { Services } from '../services.ts'

const NO_STORE_HEADERS: HeaderList = ['cache-control', 'no-store']

/** Health checks. Anyone who can reach the port may call them; they reveal nothing about partners. */
export const PROBES: readonly RunnableRoute[] = [
  definePage('/live', [], () => jsonReply({ status: 'live' }, 200, NO_STORE_HEADERS)),
  definePage('/ready', [], async (_call, { whyNotReady }: Pick<Services, 'whyNotReady'>) => {
    const reasons = await whyNotReady()
    if (reasons.length === 0) return jsonReply({ status: 'ready' }, 200, NO_STORE_HEADERS)
    return jsonReply({ status: 'not ready', reasons }, 503, [...NO_STORE_HEADERS, 'retry-after', 2])
  }),
]
