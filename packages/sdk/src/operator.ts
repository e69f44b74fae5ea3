import { Call } from './call.ts'
import { createClient } from './client.ts'
import { List } from './list.ts'
import type {
  AddedGateway,
  AddedPartner,
  AddedSecret,
  AuditEntry,
  ConsoleLink,
  ConsoleSession,
  Gateway,
  ImportedReading,
  InstallationHealth,
  Inventory,
  InventoryChanges,
  ListedCommand,
  NewConsoleLink,
  NewGateway,
  NewPartner,
  NewSecret,
  OperatorCommand,
  OperatorDevice,
  OperatorSite,
  Partner,
  PartnerChanges,
  PartnerWithSecrets,
  ReadingsReport,
  RejectedMessage,
  Key,
  RotatedKey,
  V1Caller,
  V1Day,
} from './operator-types.ts'
import { type ClientOptions, readEnv, requireOption, requireUrl } from './options.ts'
import type { CustomRequest } from './portico.ts'
import type { CallOptions, Query, Send } from './send.ts'

export type * from './operator-types.ts'

export interface OperatorOptions extends ClientOptions {
  /** The address of the operator API, `<public URL>/operator`. Environment: PORTICO_OPERATOR_URL. */
  operatorUrl?: string | undefined
}

/** A request to a call that the SDK has no method for. */
export type OperatorRequest = Omit<CustomRequest, 'siteId'>

const encode = encodeURIComponent

/** A client of the operator API, for the platform team. */
export class PorticoOperator {
  readonly #send: Send

  constructor(options: OperatorOptions = {}) {
    const variable = 'PORTICO_OPERATOR_URL'
    const url = requireOption(options.operatorUrl ?? readEnv(variable), 'operatorUrl', variable)
    this.#send = createClient(requireUrl(url, 'operatorUrl'), options, {
      clientId: 'PORTICO_OPERATOR_CLIENT_ID',
      clientSecret: 'PORTICO_OPERATOR_CLIENT_SECRET',
    }).send
  }

  /** The buildings, spaces and devices of a site, as one document. */
  readonly inventory = {
    /** Applies a document; with `dryRun`, only reports what would change. */
    apply: (document: Inventory, options: CallOptions & { dryRun?: boolean } = {}): Call<InventoryChanges> =>
      this.#call('PUT', '/inventory', document, options, options.dryRun ? { dryRun: true } : {}),
    export: (siteUuid: string, options?: CallOptions): Call<Inventory> =>
      this.#call('GET', `/inventory/${encode(siteUuid)}`, undefined, options),
  }

  readonly readings = {
    /** Streams any number of readings from any source. It is not retried, because the source cannot be read twice. */
    push: (
      readings: Iterable<ImportedReading> | AsyncIterable<ImportedReading>,
      options: CallOptions = {},
    ): Call<ReadingsReport> =>
      this.#call('POST', '/readings', toNdjson(readings), {
        // As long as the source takes.
        timeoutMs: 2 ** 31 - 1,
        ...options,
        headers: { 'content-type': 'application/x-ndjson', ...options.headers },
      }),
  }

  readonly partners = {
    list: (options?: CallOptions): List<Partner> => this.#list('/partners', options),
    get: (partnerUuid: string, options?: CallOptions): Call<PartnerWithSecrets> =>
      this.#call('GET', `/partners/${encode(partnerUuid)}`, undefined, options),
    /** The secret’s value is in this response only. */
    add: (partner: NewPartner, options?: CallOptions): Call<AddedPartner> =>
      this.#call('POST', '/partners', partner, options),
    change: (partnerUuid: string, changes: PartnerChanges, options?: CallOptions): Call<Partner> =>
      this.#call('PATCH', `/partners/${encode(partnerUuid)}`, changes, options),
    addSecret: (partnerUuid: string, secret: NewSecret = {}, options?: CallOptions): Call<AddedSecret> =>
      this.#call('POST', `/partners/${encode(partnerUuid)}/secrets`, secret, options),
    removeSecret: (partnerUuid: string, secretId: string, options?: CallOptions): Call<void> =>
      this.#call(
        'DELETE',
        `/partners/${encode(partnerUuid)}/secrets/${encode(secretId)}`,
        undefined,
        options,
      ),
  }

  readonly sites = {
    list: (options?: CallOptions): List<OperatorSite> => this.#list('/sites', options),
    devices: (
      siteUuid: string,
      query: { status?: 'online' | 'offline' | 'unknown'; silentForMinutes?: number } = {},
      options?: CallOptions,
    ): List<OperatorDevice> => this.#list(`/sites/${encode(siteUuid)}/devices`, options, { ...query }),
    commands: (
      siteUuid: string,
      query: { deviceUuid?: string } = {},
      options?: CallOptions,
    ): List<OperatorCommand> => this.#list(`/sites/${encode(siteUuid)}/commands`, options, { ...query }),
  }

  readonly gateways = {
    list: (siteUuid: string, options?: CallOptions): List<Gateway> =>
      // The list takes no parameters.
      this.#list(`/sites/${encode(siteUuid)}/gateways`, options, { limit: undefined }),
    add: (siteUuid: string, gateway: NewGateway, options?: CallOptions): Call<AddedGateway> =>
      this.#call('POST', `/sites/${encode(siteUuid)}/gateways`, gateway, options),
    remove: (siteUuid: string, gatewayUuid: string, options?: CallOptions): Call<void> =>
      this.#call('DELETE', `/sites/${encode(siteUuid)}/gateways/${encode(gatewayUuid)}`, undefined, options),
  }

  /** An overview of problems, in one document. */
  health(options?: CallOptions): Call<InstallationHealth> {
    return this.#call('GET', '/health', undefined, options)
  }

  /** Commands of all sites, newest first. */
  commands(
    query: { siteUuid?: string; partnerUuid?: string; state?: string; from?: string } = {},
    options?: CallOptions,
  ): List<ListedCommand> {
    return this.#list('/commands', options, { ...query })
  }

  /** MQTT messages that were not accepted. */
  rejected(
    query: { reason?: string; search?: string; from?: string } = {},
    options?: CallOptions,
  ): List<RejectedMessage> {
    return this.#list('/rejected', options, { ...query })
  }

  /** The audit log, newest first. */
  audit(
    query: { action?: string; actor?: string; search?: string; from?: string } = {},
    options?: CallOptions,
  ): List<AuditEntry> {
    return this.#list('/audit', options, { ...query })
  }

  /** Calls to version 1, by partner and endpoint. */
  migration(options?: CallOptions): List<V1Caller> {
    return this.#list('/migration', options)
  }

  /** Calls to version 1 by day, of all partners or of one. */
  migrationDays(query: { partnerUuid?: string } = {}, options?: CallOptions): List<V1Day> {
    return this.#list('/migration/days', options, { ...query })
  }

  /** The signing keys, newest first. */
  keys(options?: CallOptions): List<Key> {
    return this.#list('/keys', options)
  }

  /** Browsers that are signed in to the web console. */
  readonly console = {
    sessions: (options?: CallOptions): List<ConsoleSession> => this.#list('/sessions', options),
    endSession: (sessionId: string, options?: CallOptions): Call<void> =>
      this.#call('DELETE', `/sessions/${encode(sessionId)}`, undefined, options),
    /** A link that signs a browser in, once, as a partner or as the caller. */
    addLink: (link: NewConsoleLink = {}, options?: CallOptions): Call<ConsoleLink> =>
      this.#call('POST', '/console-links', link, options),
  }

  rotateKeys(options?: CallOptions): Call<RotatedKey> {
    return this.#call('POST', '/keys/rotate', {}, options)
  }

  /** Sends a request for which the SDK has no method: `operator.request('GET', '/health')`. */
  request<T = unknown>(method: string, path: string, request: OperatorRequest = {}): Call<T> {
    const { query, body, ...options } = request
    return this.#call(method.toUpperCase(), path, body, options, query)
  }

  #call<T>(method: string, path: string, body: unknown, options?: CallOptions, query: Query = {}): Call<T> {
    return new Call(this.#send<T>({ method, path, body, query }, options))
  }

  #list<T>(path: string, options: CallOptions | undefined, query: Query = {}): List<T> {
    return new List<T>(this.#send, { method: 'GET', path, query }, options)
  }
}

/** About this many characters are sent at a time. */
const CHUNK = 65_536

function toNdjson(readings: Iterable<unknown> | AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const source = (async function* () {
    yield* readings
  })()
  return new ReadableStream({
    async pull(controller) {
      let text = ''
      while (text.length < CHUNK) {
        const { done, value } = await source.next()
        if (done) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += `${JSON.stringify(value)}\n`
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await source.return()
    },
  })
}
