import { bearer, partnerRateLimit, ready, site, rateLimit } from '../pipeline/gates.ts'
import type { Surface } from '../pipeline/route.ts'
import { type FailureServices, renderProblem } from '../pipeline/problem.ts'

/** Version 2 of the partner API. */
export const createV2Surface = (services: FailureServices): Surface => ({
  prefix: '/v2',
  apiVersion: '2',
  isConditional: true,
  renderError: (error, call) => renderProblem(error, call, services),
})

/** Gates of requests for a site; a role gate follows. */
export const SITE_GATES = [ready, bearer, site, rateLimit] as const

/** Gates of requests without a site, and of unknown paths and methods. */
export const PARTNER_GATES = [ready, bearer, partnerRateLimit] as const
