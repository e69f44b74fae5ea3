import type { Remote } from '@portico/server/config/remote'
import type { OperatorDevice } from '@portico/wire/operator/device'
import type { OperatorSite } from '@portico/wire/operator/site'
import type { ReadingsReport } from '@portico/wire/operator/readings'
import { createApiSession } from './api-session.ts'
import { sendReadings } from './send-readings.ts'
import type { OperatorClient } from './operator-client.ts'

const PAGE = 1_000

interface Page<T> {
  data: T[]
  pagination: { nextCursor: string | null }
}

/** Calls the operator API of a server. `note` tells the user that a request waits. */
export function createHttpClient(remote: Remote, note: (line: string) => void): OperatorClient {
  const { call, stream } = createApiSession(remote, note)

  const list = async <T>(path: string, limit = Number.POSITIVE_INFINITY): Promise<T[]> => {
    const items: T[] = []
    const separator = path.includes('?') ? '&' : '?'
    let cursor: string | null = null
    do {
      const size = Math.min(PAGE, limit - items.length)
      const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: Page<T> = await call<Page<T>>('GET', `${path}${separator}limit=${size}${more}`)
      items.push(...page.data)
      cursor = page.pagination.nextCursor
    } while (cursor !== null && items.length < limit)
    return items
  }

  return {
    listSites: async () =>
      (await list<OperatorSite>('/sites')).map(({ siteUuid, siteName, timeZone, sandbox }) => ({
        siteUuid,
        siteName,
        timeZone,
        sandbox,
      })),
    listDevices: async (siteUuid) =>
      (await list<OperatorDevice>(`/sites/${siteUuid}/devices`)).map((listed) => {
        const { latestReadings: _, ...device } = listed
        return device
      }),
    listCommands: (siteUuid, { deviceUuid, limit }) =>
      list(
        `/sites/${siteUuid}/commands${deviceUuid === undefined ? '' : `?deviceUuid=${deviceUuid}`}`,
        limit,
      ),
    readEvents(siteUuid, { after, types }) {
      const query = new URLSearchParams({
        ...(after === undefined ? {} : { after: String(after) }),
        ...(types === undefined ? {} : { types }),
      })
      return call('GET', `/sites/${siteUuid}/events?${query.toString()}`)
    },

    planInventory: (document) => call('PUT', '/inventory?dryRun=true', document),
    applyInventory: (document) => call('PUT', '/inventory', document),
    exportInventory: (siteUuid) => call('GET', `/inventory/${siteUuid}`),

    importReadings: (mediaType, source, options) =>
      sendReadings(mediaType, source, options, (type, body) =>
        call<ReadingsReport>('POST', '/readings', body, type),
      ),
    exportRows: (kind, siteUuid, query) =>
      stream(`/export/${kind}?${new URLSearchParams({ siteUuid, ...query }).toString()}`),
    recordImport: (imported) => call('POST', '/readings/imports', imported),

    listGateways: async (siteUuid) => (await call<Page<never>>('GET', `/sites/${siteUuid}/gateways`)).data,
    addGateway: (siteUuid, name) => call('POST', `/sites/${siteUuid}/gateways`, { name }),
    removeGateway: (siteUuid, gatewayUuid) => call('DELETE', `/sites/${siteUuid}/gateways/${gatewayUuid}`),

    listPartners: () => list('/partners'),
    getPartner: (partnerUuid) => call('GET', `/partners/${partnerUuid}`),
    addPartner: (partner) => call('POST', '/partners', partner),
    changePartner: (partnerUuid, changes) => call('PATCH', `/partners/${partnerUuid}`, changes),
    addSecret: (partnerUuid, expiresInDays) =>
      call('POST', `/partners/${partnerUuid}/secrets`, expiresInDays === undefined ? {} : { expiresInDays }),
    removeSecret: (partnerUuid, secretId) => call('DELETE', `/partners/${partnerUuid}/secrets/${secretId}`),

    listKeys: async () => (await call<Page<never>>('GET', '/keys')).data,
    listWebhooks: async () => (await call<Page<never>>('GET', '/webhooks')).data,
    setWebhookState: (webhookUuid, state) => call('PATCH', `/webhooks/${webhookUuid}`, { state }),

    addConsoleLink: (partnerUuid) =>
      call('POST', '/console-links', partnerUuid === undefined ? {} : { partnerUuid }),
    listSessions: () => list('/sessions'),
    endSession: (sessionId) => call('DELETE', `/sessions/${encodeURIComponent(sessionId)}`),

    rotateKeys: (options) => call('POST', '/keys/rotate', options),
    listRejected: (limit, filter) => list(withFilter('/rejected', { ...filter }), limit),
    listAudit: (limit, filter) => list(withFilter('/audit', { ...filter }), limit),
    listV1Callers: () => list('/migration'),
    changeLifecycle: (changes) => call('PUT', '/v1/lifecycle', changes),
    async [Symbol.asyncDispose]() {},
  }
}

/** A path with those parameters that have a value. */
function withFilter(path: string, filter: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}
