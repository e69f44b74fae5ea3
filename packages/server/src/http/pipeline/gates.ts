import { AppError, NotReadyError } from '../../kernel/errors.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { isUuid } from '../../kernel/ids.ts'
import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts'
import type { Role } from '../../domain/identity/partner/partner.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import { type Charge, toLimitKey } from './rate-limit.ts'
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
    return health.isReady() ? undefined : new NotReadyError(health.reasons()[0])
  },
}

const BEARER = 'bearer '
/** The white space that a header may contain. */
const SPACES = [' ', '\t', '\u00a0']

/** The token of an Authorization header (RFC 6750, 2.1); undefined if it has another form. */
export function parseBearer(header: string): string | undefined {
  if (header.slice(0, BEARER.length).toLowerCase() !== BEARER) return undefined
  let start = BEARER.length
  while (header.charAt(start) === ' ') start += 1
  let end = header.length
  while (end > start && header.charAt(end - 1) === ' ') end -= 1
  const token = header.slice(start, end)
  return token === '' || SPACES.some((space) => token.includes(space)) ? undefined : token
}

/** Requires a valid access token of an enabled client. */
export const bearer: Gate<WithCaller> = {
  pass(call, { verifier, unreadBytes }) {
    const token = parseBearer(call.headers.authorization ?? '')
    if (token === undefined) {
      return new AppError('token-not-present', 'Send an access token: Authorization: Bearer <ACCESS_TOKEN>.')
    }
    return andThen(verifier.verify(token), (caller) => {
      call.caller = caller
      return unreadBytes.checkRoom(caller.partnerUuid)
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
    const siteUuid = typeof header === 'string' ? header.toLowerCase() : ''
    if (!caller.sites.includes(siteUuid)) return denySite(call, services, !isUuid(siteUuid))
    return andThen(services.siteDirectory.find(siteUuid), (model) => {
      if (!model) return denySite(call, services, false)
      call.site = model
      return undefined
    })
  },
}

export const siteNotGranted = (): AppError => new AppError('forbidden', 'This site is not granted to you.')

export const missingSiteId = (): AppError =>
  new AppError('missing-site-id', 'Send the SiteId header with the UUID of one of your sites.', {
    errors: [{ field: 'SiteId', code: 'required', message: 'is required' }],
  })

/** Denied requests count towards the partner's limit, so that probing for identifiers is not free. */
function denySite(call: Call, { requestLimits }: GateServices, isMissing: boolean): MaybePromise<AppError> {
  return andThen(requestLimits.consume(call, requireCaller(call).partnerUuid), (refusal) => {
    if (refusal) return refusal
    if (!isMissing) return siteNotGranted()
    const { siteid: header = '' } = call.headers
    if (header === '') return missingSiteId()
    return new AppError(
      'missing-site-id',
      'The SiteId header is not a UUID. Send the UUID of one of your sites; GET /v2/sites lists them.',
      { errors: [{ field: 'SiteId', code: 'malformed', message: 'must be a single UUID' }] },
    )
  })
}

/** Consumes one unit of the partner's limit for the site. */
export const rateLimit: Gate = {
  pass: (call, { requestLimits }) =>
    requestLimits.consume(call, toLimitKey(requireCaller(call).partnerUuid, requireSite(call).site.siteUuid)),
}

/** Consumes one unit of the partner's limit for requests without a site. */
export const partnerRateLimit: Gate = {
  pass: (call, { requestLimits }) => requestLimits.consume(call, requireCaller(call).partnerUuid),
}

/** Roles come from the store, not from the token: a change takes effect with the next request. */
export const role = (name: Role): Gate => ({
  role: name,
  pass(call) {
    if (requireCaller(call).roles.includes(name)) return undefined
    return requiresRole(name)
  },
})

export const requiresRole = (name: Role): AppError =>
  new AppError('forbidden', `This request requires the role ${name}.`)

/** For routes that every partner may call; shows that the role was not omitted by mistake. */
export const anyRole: Gate = { pass: () => undefined }

/** Requires a site whose devices are simulated. */
export const sandbox: Gate = {
  pass(call) {
    if (requireSite(call).site.sandbox) return undefined
    return new AppError('forbidden', 'This site is not a sandbox: its devices are not simulated.')
  },
}
