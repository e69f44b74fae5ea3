import { Call } from './call.ts'
import { createClient, type Client } from './client.ts'
import { List } from './list.ts'
import { type ClientOptions, readEnv, requireBaseUrl, requireOption, requireSiteId } from './options.ts'
import type { Answer, CallOptions, Query, Send } from './send.ts'
import { Site } from './site.ts'
import type { Account, Site as SiteRecord } from './types.ts'
import { Webhooks } from './webhooks.ts'

export interface PorticoOptions extends ClientOptions {
  /** The address of version 2, `<public URL>/v2`. Environment: PORTICO_BASE_URL. */
  baseUrl?: string | undefined
  /** The site of `portico.site()`. Environment: PORTICO_SITE_ID. */
  siteId?: string | undefined
  /** Whether to ask the server once when the secret expires, and to warn 30 days before; true by default. */
  warnBeforeExpiry?: boolean | undefined
}

/** A request to a call that the SDK has no method for. */
export interface CustomRequest extends CallOptions {
  query?: Query | undefined
  /** Sent as JSON. */
  body?: unknown
  siteId?: string | undefined
}

const WARN_DAYS = 30
const DAY_MS = 86_400_000

/** Clients whose secret was checked in this process. */
const checked = new Set<string>()

/**
 * A client of the partner API. Create one and keep it: it obtains and renews tokens, repeats what is safe to repeat and
 * keeps within the rate limit.
 *
 * @example
 * const portico = new Portico()
 * for await (const space of portico.site().spaces.list()) console.log(space.spaceName)
 */
export class Portico {
  /** The addresses to which your events are sent. */
  readonly webhooks: Webhooks
  readonly #send: Send
  readonly #siteId: string | undefined
  readonly #client: Client

  constructor(options: PorticoOptions = {}) {
    const variable = 'PORTICO_BASE_URL'
    const baseUrl = requireBaseUrl(requireOption(options.baseUrl ?? readEnv(variable), 'baseUrl', variable))
    const siteId = options.siteId ?? readEnv('PORTICO_SITE_ID')
    this.#siteId = siteId === undefined ? undefined : requireSiteId(siteId)
    this.#client = createClient(baseUrl, options, {
      clientId: 'PORTICO_CLIENT_ID',
      clientSecret: 'PORTICO_CLIENT_SECRET',
    })
    const { send } = this.#client
    this.#send = options.warnBeforeExpiry === false ? send : this.#withExpiryCheck(send, baseUrl)
    this.webhooks = new Webhooks(this.#send)
  }

  /** The calls that concern a site: this one, or that of the options or PORTICO_SITE_ID. */
  site(siteId?: string): Site {
    const chosen = requireOption(siteId ?? this.#siteId, 'siteId', 'PORTICO_SITE_ID')
    return new Site(this.#send, requireSiteId(chosen))
  }

  /** The sites granted to you. */
  sites(options?: CallOptions): List<SiteRecord> {
    // The list takes no parameters.
    return new List(this.#send, { method: 'GET', path: '/sites', query: { limit: undefined } }, options)
  }

  /** Your roles, sites, secrets and limits. */
  account(options?: CallOptions): Call<Account> {
    return new Call(this.#send({ method: 'GET', path: '/account' }, options))
  }

  /** Reaches a call that the SDK does not know: `portico.request('GET', '/spaces', { siteId, query })`. */
  request<T = unknown>(method: string, path: string, request: CustomRequest = {}): Call<T> {
    const { query, body, siteId, ...options } = request
    return new Call(this.#send<T>({ method: method.toUpperCase(), path, query, body, siteId }, options))
  }

  /** After the first response, looks once per process and client whether the secret expires soon. */
  #withExpiryCheck(send: Send, baseUrl: string): Send {
    const { clientId, hooks } = this.#client
    if (clientId === undefined) return send
    const key = `${baseUrl}\n${clientId}`
    return async <T>(request: Parameters<Send>[0], options?: CallOptions): Promise<Answer<T>> => {
      const answer = await send<T>(request, options)
      if (!checked.has(key)) {
        checked.add(key)
        send<Account>({ method: 'GET', path: '/account' }, { maxRetries: 0 }).then(
          ({ data }) => warnBeforeExpiry(data, (message) => hooks.warn(message)),
          () => {},
        )
      }
      return answer
    }
  }
}

/** The time at which the last secret of an account expires, if that is within 30 days. */
export function findEarlyExpiry({ secrets }: Account): Date | undefined {
  const present = Date.now()
  const ends = secrets.map(({ expiresAt }) => Date.parse(expiresAt))
  const last = Math.max(...ends.filter((end) => end > present))
  return last > present && last < present + WARN_DAYS * DAY_MS ? new Date(last) : undefined
}

function warnBeforeExpiry(account: Account, warn: (message: string) => void): void {
  const expiry = findEarlyExpiry(account)
  if (!expiry) return
  const days = Math.ceil((expiry.getTime() - Date.now()) / DAY_MS)
  const date = expiry.toISOString().slice(0, 10)
  warn(`The client secret of ${account.name} expires on ${date}, in ${days} days, and there is no newer one.`)
}
