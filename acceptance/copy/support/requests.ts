import { randomInt } from 'node:crypto'
import type { SmallSite } from '../../support/fixtures/small-site.ts'
import type { Installation } from '../../support/servers/installation.ts'
import { asArray, asObject, asString, type JsonObject } from '../../support/json.ts'
import type { NewPartner } from '../../support/clients/operator.ts'
import { api, tokenFor } from '../../support/clients/requests.ts'
import { everyPath, fillIds } from '../../support/clients/v1.ts'

/** A GET request and the token it is sent with. */
export interface Question {
  path: string
  siteUuid?: string
}

const DAY_MS = 86_400_000
const OPERATOR_LISTS = ['partners', 'audit', 'rejected', 'migration', 'v1/lifecycle']
const INTERVALS = { hourly: ['PT15M', 'PT30M', 'PT1H'], daily: ['P1D', 'P1W', 'P1M'] }
const METRICS = ['electricity', 'temperature', 'co2', 'carbon', 'performance', 'occupancy']
const RANDOM_RANGES = 150

/** Every readable resource of these sites: all GETs of both versions and of the operator API, and random ranges. */
export function requestsFor(
  houses: readonly SmallSite[],
  legacyIds: ReadonlyMap<string, { spaceId: number; buildingId: number; siteId: number }[]>,
  now: number,
): Question[] {
  const operator = OPERATOR_LISTS.flatMap((list) => [
    { path: `/operator/${list}` },
    ...(list.startsWith('v1') ? [] : [{ path: `/operator/${list}?limit=2` }]),
  ])
  return [...operator, ...houses.flatMap((house) => ofSite(house, legacyIds.get(house.siteUuid) ?? [], now))]
}

function ofSite(
  house: SmallSite,
  legacyIds: readonly { spaceId: number; buildingId: number; siteId: number }[],
  now: number,
): Question[] {
  const { siteUuid } = house
  const devices = [house.meter, house.secondMeter, house.sensor, house.trv, house.cylinder]
  const spaces = [house.bedroom, house.secondBedroom, house.kitchen, house.studio]
  const v2 = [
    '/sites',
    '/metric-types',
    '/spaces',
    '/spaces?limit=2',
    '/devices',
    '/migration/id-map',
    '/migration/usage',
    ...devices.flatMap((uuid) => ['', '/commands', '/schedule'].map((rest) => `/devices/${uuid}${rest}`)),
    ...spaces.map((uuid) => `/spaces/${uuid}/overview`),
    ...Array.from({ length: RANDOM_RANGES }, () => randomRange(devices, spaces, now)),
  ]
  const v1 = legacyIds.flatMap((ids) => everyPath.map((path) => fillIds(path, ids)))
  return [
    ...[`/operator/inventory/${siteUuid}`, `/operator/sites/${siteUuid}/gateways`].map((path) => ({ path })),
    ...v2.map((path) => ({ path: `/v2${path}`, siteUuid })),
    ...v1.map((path) => ({ path: `/v1${path}`, siteUuid })),
  ]
}

const pickOne = <T>(all: readonly T[]): T => all[randomInt(all.length)] as T

function randomRange(devices: readonly string[], spaces: readonly string[], now: number): string {
  const from = now - randomInt(1, 65) * DAY_MS - randomInt(DAY_MS)
  const granularity = pickOne(['hourly', 'daily'] as const)
  const to = from + randomInt(1, granularity === 'hourly' ? 6 : 30) * DAY_MS
  const range = `fromDateTime=${new Date(from).toISOString()}&toDateTime=${new Date(to).toISOString()}`
  const metric = pickOne(METRICS)
  if (randomInt(3) === 0) return `/devices/${pickOne(devices)}/consumption/${metric}?${range}`
  return `/spaces/${pickOne(spaces)}/aggregate/${metric}/${granularity}?${range}&interval=${pickOne(INTERVALS[granularity])}`
}

/** Version 1 identifiers of the spaces of a site. */
export async function readLegacyIds(
  { portico, operator }: Installation,
  { siteUuid }: SmallSite,
): Promise<{ spaceId: number; buildingId: number; siteId: number }[]> {
  const { json } = await api(portico, `/operator/inventory/${siteUuid}`, { token: operator })
  const toLegacyId = (record: unknown): number => Number(asObject(record)['legacyId'])
  const [building] = asArray(json['buildings'])
  return asArray(json['spaces']).map((space) => ({
    spaceId: toLegacyId(space),
    buildingId: toLegacyId(building),
    siteId: toLegacyId(json['site']),
  }))
}

/** Headers that depend on the data. */
const HEADERS = ['content-type', 'etag', 'deprecation', 'sunset', 'link', 'retry-after', 'cache-control']

/** All responses in order, without the parts that differ per request. */
export async function readResponses(
  installation: Installation,
  partner: NewPartner,
  questions: readonly Question[],
): Promise<JsonObject[]> {
  const { portico, operator } = installation
  const token = await tokenFor(portico, partner.clientId, partner.clientSecret)
  const answers: JsonObject[] = []
  for (const { path, siteUuid } of questions) {
    const response = await fetch(`${portico.origin}${path}`, {
      headers: {
        authorization: `Bearer ${siteUuid === undefined ? operator : token}`,
        ...(siteUuid === undefined ? {} : { SiteId: siteUuid }),
      },
    })
    const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
    answers.push({
      path,
      status: response.status,
      headers: HEADERS.map((name) => response.headers.get(name)),
      body: withoutRequest(body, asString(response.headers.get('x-request-id'))),
    })
  }
  return answers
}

/** The last use of a secret is stored with a delay. */
const withoutRequest = (body: string, id: string): string =>
  body.replaceAll(id, '').replace(/"lastUsedAt":"[^"]*"/g, '"lastUsedAt":null')
