import { bearer, partnerRateLimit, ready, site, rateLimit } from '../pipeline/gates.ts'
import type { Surface } from '../pipeline/route.ts'
import { renderProblem } from '../problem.ts'
import type { Services } from '../services.ts'

/** Version 2 of the partner API. */
export const createV2Surface = ({ addresses, log }: Pick<Services, 'addresses' | 'log'>): Surface => ({
  prefix: '/v2',
  apiVersion: '2',
  isConditional: true,
  renderError: (error, call) => renderProblem(error, call, { publicUrl: addresses.publicUrl, log }),
})

/** Gates of requests for a site; a role follows. */
export const SITE_GATES = [ready, bearer, site, rateLimit] as const

/** Gates of requests without a site, and of unknown addresses and methods. */
export const PARTNER_GATES = [ready, bearer, partnerRateLimit] as const
