import { AppError, NotReadyError } from '../../kernel/errors.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { isUuid } from '../../kernel/ids.ts'
import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts'
import type { Role } from '../../domain/identity/partner/partner.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import type { Charge } from './rate-limit.ts'
import type { Call } from './call.ts'
import type { Gate, GateServices } from './route.ts'

/** Properties added by the gate `bearer`. */
export interface WithCaller {
  readonly caller: Client
  charge: Charge | undefined
}

/** Properties added by the gate `site`. */
export interface WithSite {
  readonly site: SiteModel
}

/** Responds 503 with Retry-After until the store is migrated, and while the process is stopping. */
export const ready: Gate = {
  pass(_call, { health }) {
    if (!health.isReady()) throw new NotReadyError(health.reasons()[0])
  },
}

const BEARER = 'bearer '

/** The token of an Authorization header (RFC 6750, 2.1); undefined if it has another form. */
export function parseBearer(header: string): string | undefined {
  if (header.slice(0, BEARER.length).toLowerCase() !== BEARER) return undefined
  let start = BEARER.length
  while (header.charAt(start) === ' ') start += 1
  let end = header.length
  while (end > start && header.charAt(end - 1) === ' ') end -= 1
  const token = header.slice(start, end)
  return token === '' || /\s/.test(token) ? undefined : token
}

/** Requires a valid access token of an enabled client. */
export const bearer: Gate<WithCaller> = {
  pass(call, { verifier, unreadBytes }) {
    const token = parseBearer(call.headers.authorization ?? '')
    if (token === undefined) {
      throw new AppError('token-not-present', 'Send an access token: Authorization: Bearer <ACCESS_TOKEN>.')
    }
    return andThen(verifier.verify(token), (caller) => {
      call.caller = caller
      unreadBytes.requireRoom(caller.partnerUuid)
    })
  },
}

export function requireCaller({ caller }: Call): Client {
  if (!caller) throw new Error('This gate comes after bearer.')
  return caller
}

export function requireSite({ site }: Call): SiteModel {
  if (!site) throw new Error('This gate comes after site.')
  return site
}

/** Requires a SiteId header that names a site granted to the caller. */
export const site: Gate<WithSite> = {
  isSite: true,
  pass(call, services) {
    const caller = requireCaller(call)
    const header = call.headers['siteid']
    const siteUuid = typeof header === 'string' && isUuid(header) ? header.toLowerCase() : undefined
    if (siteUuid === undefined || !caller.sites.includes(siteUuid))
      return denySite(call, services, siteUuid === undefined)
    return andThen(services.siteDirectory.find(siteUuid), (model) => {
      if (!model) return denySite(call, services, false)
      call.site = model
      return undefined
    })
  },
}

/** Denied requests count towards the partner's limit, so that probing for identifiers is not free. */
function denySite(call: Call, { requestLimits }: GateServices, isMissing: boolean): MaybePromise<void> {
  return andThen(requestLimits.consume(call, requireCaller(call).partnerUuid), () => {
    if (!isMissing) throw new AppError('forbidden', 'This site is not granted to you.')
    const { siteid: header = '' } = call.headers
    if (header === '')
      throw new AppError('missing-site-id', 'Send the SiteId header with the UUID of one of your sites.', {
        errors: [{ field: 'SiteId', code: 'required', message: 'is required' }],
      })
    throw new AppError(
      'missing-site-id',
      'The SiteId header is not a UUID. Send the UUID of one of your sites; GET /v2/sites lists them.',
      { errors: [{ field: 'SiteId', code: 'malformed', message: 'must be a single UUID' }] },
    )
  })
}

/** Consumes one unit of the partner's limit for the site. */
export const rateLimit: Gate = {
  pass: (call, { requestLimits }) =>
    requestLimits.consume(call, `${requireCaller(call).partnerUuid} ${requireSite(call).site.siteUuid}`),
}

/** Consumes one unit of the partner's limit for requests without a site. */
export const partnerRateLimit: Gate = {
  pass: (call, { requestLimits }) => requestLimits.consume(call, requireCaller(call).partnerUuid),
}

/** Roles come from the store, not from the token: a change takes effect with the next request. */
export const role = (name: Role): Gate => ({
  role: name,
  pass(call) {
    if (!requireCaller(call).roles.includes(name))
      throw new AppError('forbidden', `This request requires the role ${name}.`)
  },
})

/** For routes that every partner may call; shows that the role was not omitted by mistake. */
export const anyRole: Gate = { pass() {} }

/** Requires a site whose devices are simulated. */
export const sandbox: Gate = {
  pass(call) {
    if (!requireSite(call).site.sandbox)
      throw new AppError('forbidden', 'This site is not a sandbox: its devices are not simulated.')
  },
}
