import { Call } from './call.ts'
import { List } from './list.ts'
import type { CallOptions, Query, Send } from './send.ts'
import type {
  AddedWebhook,
  AddedWebhookSecret,
  EnableBody,
  ListDeliveriesQuery,
  NewWebhook,
  Replay,
  ReplayBody,
  Webhook,
  WebhookChanges,
  WebhookDelivery,
  WebhookDeliveryWithAttempts,
  WebhookTest,
} from './types.ts'

export type DeliveryFilter = Omit<ListDeliveriesQuery, 'cursor' | 'from'> & {
  from?: string | Date | undefined
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

  /** Enables a disabled webhook, which continues where it stopped unless `from` is `now`. */
  enable(webhookUuid: string, body: EnableBody = {}, options?: CallOptions): Call<Webhook> {
    return this.#call('POST', toPath(webhookUuid, '/enable'), body, options)
  }

  /** Sends an event of type `webhook.test` immediately, and returns the receiver’s response. */
  test(webhookUuid: string, options?: CallOptions): Call<WebhookTest> {
    return this.#call('POST', toPath(webhookUuid, '/test'), undefined, options)
  }

  /** A new secret. The previous one signs as well until `previousEndsAt`: accept both. */
  rotateSecret(webhookUuid: string, options?: CallOptions): Call<AddedWebhookSecret> {
    return this.#call('POST', toPath(webhookUuid, '/secrets'), undefined, options)
  }

  deliveries(webhookUuid: string, filter: DeliveryFilter = {}, options?: CallOptions): List<WebhookDelivery> {
    return this.#list(toPath(webhookUuid, '/deliveries'), { ...filter }, options)
  }

  /** A delivery with its attempts. */
  delivery(webhookUuid: string, eventUuid: string, options?: CallOptions): Call<WebhookDeliveryWithAttempts> {
    return this.#call('GET', toPath(webhookUuid, `/deliveries/${encode(eventUuid)}`), undefined, options)
  }

  /** Sends events again, with the same ids. */
  replay(webhookUuid: string, request: ReplayBody, options?: CallOptions): Call<Replay> {
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
