import { Call } from './call.ts'
import type { SiteEventType } from './events.ts'
import { List } from './list.ts'
import type { CallOptions, Query, Send } from './send.ts'
import type { Open } from './types.ts'

/** An address to which events are sent. */
export interface NewWebhook {
  url: string
  /** Null or absent: all types. */
  eventTypes?: readonly SiteEventType[] | null
  /** Null or absent: all sites granted to you. */
  siteUuids?: readonly string[] | null
  description?: string | null
  /** Whether to send `webhook.heartbeat` every hour. */
  heartbeat?: boolean
}

export interface WebhookChanges extends Partial<NewWebhook> {
  state?: 'enabled' | 'paused'
}

export interface Webhook {
  webhookUuid: string
  url: string
  description: string | null
  eventTypes: Open<SiteEventType>[] | null
  siteUuids: string[] | null
  heartbeat: boolean
  state: Open<'enabled' | 'paused' | 'disabled'>
  /** Why it is disabled; null otherwise. */
  reason: Open<'failing' | 'gone' | 'operator'> | null
  failingSince: string | null
  lastDeliveredAt: string | null
  /** Events that are not delivered yet. */
  waiting: number
  oldestWaitingAt: string | null
  /** Events that were removed before they could be delivered. */
  lost: number
  createdAt: string
  updatedAt: string
}

/** A webhook with its secret, which is shown once. */
export type AddedWebhook = Webhook & { secret: string }

export interface WebhookTestResult {
  delivered: boolean
  status: number | null
  durationMs: number
  error: string | null
  response: string | null
}

export interface WebhookDelivery {
  eventUuid: string
  number: number
  siteUuid: string
  type: Open<SiteEventType>
  state: Open<'waiting' | 'delivered' | 'failed'>
  tries: number
  nextTryAt: string | null
  lastStatus: number | null
  lastError: string | null
  deliveredAt: string | null
}

export interface WebhookAttempt {
  at: string
  status: number | null
  error: string | null
  durationMs: number
  response: string | null
}

export interface DeliveryFilter {
  state?: 'waiting' | 'delivered' | 'failed'
  type?: SiteEventType
  from?: string | Date
  limit?: number
}

export interface ReplayRequest {
  siteUuid: string
  fromNumber?: number
  toNumber?: number
  fromDateTime?: string
  toDateTime?: string
  eventTypes?: readonly SiteEventType[]
  only?: 'failed'
}

const encode = encodeURIComponent

/** Your webhooks. They need the role Webhooks.Manage. */
export class Webhooks {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  list(options?: CallOptions): List<Webhook> {
    // The list takes no parameters.
    return this.#list('/webhooks', { limit: undefined }, options)
  }

  get(webhookUuid: string, options?: CallOptions): Call<Webhook> {
    return this.#call('GET', toPath(webhookUuid), undefined, options)
  }

  /** The secret is in this result only: store it for `verifyWebhook`. */
  create(webhook: NewWebhook, options?: CallOptions): Call<AddedWebhook> {
    return this.#call('POST', '/webhooks', webhook, options)
  }

  change(webhookUuid: string, changes: WebhookChanges, options?: CallOptions): Call<Webhook> {
    return this.#call('PATCH', toPath(webhookUuid), changes, options)
  }

  remove(webhookUuid: string, options?: CallOptions): Call<void> {
    return this.#call('DELETE', toPath(webhookUuid), undefined, options)
  }

  /** Enables a disabled webhook, which goes on where it stopped unless `from` says otherwise. */
  enable(
    webhookUuid: string,
    body: { from?: 'where-it-stopped' | 'now' } = {},
    options?: CallOptions,
  ): Call<Webhook> {
    return this.#call('POST', toPath(webhookUuid, '/enable'), body, options)
  }

  /** Sends an event of type `webhook.test` now, and reports what the receiver answered. */
  test(webhookUuid: string, options?: CallOptions): Call<WebhookTestResult> {
    return this.#call('POST', toPath(webhookUuid, '/test'), undefined, options)
  }

  /** A new secret. The previous one signs as well until `previousEndsAt`: accept both. */
  rotateSecret(webhookUuid: string, options?: CallOptions): Call<{ secret: string; previousEndsAt: string }> {
    return this.#call('POST', toPath(webhookUuid, '/secrets'), undefined, options)
  }

  deliveries(webhookUuid: string, filter: DeliveryFilter = {}, options?: CallOptions): List<WebhookDelivery> {
    return this.#list(toPath(webhookUuid, '/deliveries'), { ...filter }, options)
  }

  /** A delivery with its attempts. */
  delivery(
    webhookUuid: string,
    eventUuid: string,
    options?: CallOptions,
  ): Call<WebhookDelivery & { attempts: WebhookAttempt[] }> {
    return this.#call('GET', toPath(webhookUuid, `/deliveries/${encode(eventUuid)}`), undefined, options)
  }

  /** Sends events again, with the same ids. */
  replay(webhookUuid: string, request: ReplayRequest, options?: CallOptions): Call<{ count: number }> {
    return this.#call('POST', toPath(webhookUuid, '/replay'), request, options)
  }

  #call<T>(method: string, path: string, body: unknown, options: CallOptions | undefined): Call<T> {
    return new Call(this.#send<T>({ method, path, body }, options))
  }

  #list<T>(path: string, query: Query, options: CallOptions | undefined): List<T> {
    return new List<T>(this.#send, { method: 'GET', path, query }, options)
  }
}

const toPath = (webhookUuid: string, rest = ''): string => `/webhooks/${encode(webhookUuid)}${rest}`
