import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { SiteModel } from '../../inventory/site-model.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Services } from '../services.ts'
import { callerOf } from './bearer-auth.ts'
import type { RequestLimits } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The site that the SiteId header names; null where none is needed. */
    site: SiteModel | null
  }
}

/** Inside a scope that has called this, every request is for one site that its caller may see. */
export function requireSite(app: FastifyInstance, { siteDirectory }: Services, limits: RequestLimits): void {
  app.addHook('onRequest', async (request, reply) => {
    const caller = callerOf(request)
    const header = request.headers['siteid']
    const siteUuid = typeof header === 'string' && isUuid(header) ? header.toLowerCase() : undefined
    const isGranted = siteUuid !== undefined && caller.sites.includes(siteUuid)
    const model = isGranted ? await siteDirectory.find(siteUuid) : undefined
    if (model) {
      request.site = model
      await limits.count(request, reply, `${caller.partnerUuid} ${siteUuid}`)
      return
    }
    // A refused site counts on the partner: nobody tries out identifiers for free.
    await limits.count(request, reply, caller.partnerUuid)
    if (siteUuid === undefined) {
      throw new AppError('missing-site-id', 'Send the header SiteId with the UUID of one of your sites.', {
        errors: [
          header === undefined || header === ''
            ? { field: 'SiteId', code: 'required', message: 'is required' }
            : { field: 'SiteId', code: 'malformed', message: 'must be one UUID' },
        ],
      })
    }
    throw new AppError('forbidden', 'This site is not granted to you.')
  })
}

/** Inside a scope that has called this, the site is one to try things out on. */
export function requireSandbox(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (!siteOf(request).site.sandbox) {
      throw new AppError('forbidden', 'This site is no sandbox: its devices are not simulated.')
    }
  })
}

export function siteOf(request: FastifyRequest): SiteModel {
  if (!request.site) throw new Error('This route is outside requireSite.')
  return request.site
}
