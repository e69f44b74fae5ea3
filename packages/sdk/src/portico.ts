import { Call } from './call.ts'
import { createClient, type Client } from './client.ts'
import type { HookRunner } from './hooks.ts'
import { List } from './list.ts'
import { type ClientOptions, readEnv, requireBaseUrl, requireOption, requireSiteId } from './options.ts'
import type { Answer, ApiRequest, CallOptions, Query, Send } from './send.ts'
import { Site } from './site.ts'
import type { Account, Site as SiteRecord } from './types.ts'
import { Webhooks } from './webhooks.ts'

export interface PorticoOptions extends ClientOptions {
  /** The address of version 2, `<public URL>/v2`. Environment: PORTICO_BASE_URL. */
  baseUrl?: string | undefined
  /** The site of `portico.site()`. Environment: PORTICO_SITE_ID. */
  siteId?: string | undefined
  /** Whether to check once when the secret expires, and to warn from 30 days before; true by default. */
  warnBeforeExpiry?: boolean | undefined
}

/** A request to a call that the SDK has no method for. */
export interface CustomRequest extends CallOptions {
  query?: Query | undefined
  /** Text, bytes and streams are sent unchanged, anything else as JSON. */
  body?: unknown
  siteId?: string | undefined
}

/** Clients whose secret was checked in this process. */
const checked = new Set<string>()

/**
 * A client of the partner API. Create one and reuse it: it obtains and renews tokens, retries requests that are safe to
 * retry, and stays within the rate limit.
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

  /** Sends a request for which the SDK has no method: `portico.request('GET', '/spaces', { siteId, query })`. */
  request<T = unknown>(method: string, path: string, request: CustomRequest = {}): Call<T> {
    const { query, body, siteId, ...options } = request
    return new Call(this.#send<T>({ method: method.toUpperCase(), path, query, body, siteId }, options))
  }

  /** After the first response, checks once per process and client whether the secret expires soon. */
  #withExpiryCheck(send: Send, baseUrl: string): Send {
    const { clientId, hooks } = this.#client
    if (clientId === undefined) return send
    const key = `${baseUrl}\n${clientId}`
    const checkedSend = async <T>(request: ApiRequest, options?: CallOptions): Promise<Answer<T>> => {
      const answer = await send<T>(request, options)
      if (!checked.has(key)) {
        checked.add(key)
        checkExpiry(send, hooks).catch(() => {})
      }
      return answer
    }
    return Object.assign(checkedSend, { sequence: send.sequence })
  }
}

async function checkExpiry(send: Send, hooks: HookRunner): Promise<void> {
  const { data } = await send<Account>({ method: 'GET', path: '/account' }, { maxRetries: 0 })
  const { warnBeforeExpiry } = await import('./expiry.ts')
  warnBeforeExpiry(data, (message) => hooks.warn(message))
}
