import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listV1Callers } from '../../../src/http/operator/migration/list.ts'
import type { Call } from '../../../src/http/pipeline/call.ts'
import type { RouteServices } from '../../../src/http/pipeline/route.ts'
import { listOwnV1Usage } from '../../../src/http/v2/migration/usage.ts'
import { createSiteModel } from '../../../src/domain/estate/inventory/site-model.ts'
import { isoInstant } from '../../../src/kernel/clock.ts'
import { signedCursors } from '../../../src/kernel/cursor.ts'
import { METRIC_NAMES } from '../../../src/domain/metric/catalogue.ts'
import { DEPRECATED_SINCE, V1_CATALOGUE } from '../../../src/domain/v1-lifecycle/catalogue.ts'
import { createLifecycle } from '../../../src/domain/v1-lifecycle/lifecycle.ts'
import { createV1Usage } from '../../../src/domain/v1-lifecycle/usage.ts'
import type { Partner } from '../../../src/domain/identity/partner/partner.ts'
import { BACKENDS } from '../../support/backends.ts'
import { createClock } from '../../support/clock.ts'
import { addPartner, newInventory, NOON } from '../../support/seed.ts'

const DETAILS = '/spaces/details/{spaceId}'
const LOGO = '/tenant/logo'

interface Body {
  data: Record<string, unknown>[]
  pagination: { nextCursor: string | null }
}

/** The two routes for authorised callers, over a store in which two partners called version 1. */
async function seeded(t: TestContext): Promise<{
  partners: Partner[]
  get(path: string): Promise<Body>
}> {
  const store = await (BACKENDS[0] ?? assert.fail()).open(t)
  const added = [await addPartner(store, { name: 'One' }), await addPartner(store, { name: 'Other' })]
  const partners = added.map(({ partner }) => partner)
  const [one, other] = partners.map(({ partnerUuid }) => partnerUuid)
  const v1Usage = createV1Usage(store.v1Usage, createClock(NOON), (error) => assert.fail(String(error)))
  t.after(() => v1Usage.close())
  for (const status of [200, 404, 410]) v1Usage.count(one ?? '', DETAILS, status)
  v1Usage.count(other ?? '', LOGO, 200)
  v1Usage.count(other ?? '', DETAILS, 200)

  const services = {
    v1Usage,
    lifecycle: createLifecycle({ store: store.lifecycle, clock: createClock(NOON) }),
    cursors: signedCursors(() => new Uint8Array(32)),
    addresses: { publicUrl: '' },
  } as unknown as RouteServices
  const stored = { ...newInventory(), version: 1, buildings: [], spaces: [], devices: [] }
  const site = createSiteModel(stored, METRIC_NAMES)
  const caller = { ...(partners[0] ?? assert.fail()), secrets: [] }
  const routes = [listV1Callers, listOwnV1Usage]
  const get = async (url: string): Promise<Body> => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const route = routes.find(({ path }) => path === pathname) ?? assert.fail(url)
    const query = Object.fromEntries(searchParams)
    const call = { caller, site, url, query, headers: {} } as unknown as Call
    const reply = await route.handle(call, services)
    return JSON.parse(typeof reply?.body === 'string' ? reply.body : assert.fail()) as Body
  }
  return { partners, get }
}

test('a partner sees its own calls, with any response, and those of no other', async (t) => {
  const { get } = await seeded(t)
  const { data } = await get('/migration/usage')
  assert.equal(data.length, V1_CATALOGUE.length)
  const called = data.filter(({ calls }) => calls !== 0)
  assert.deepEqual(called, [
    {
      method: 'GET',
      path: DETAILS,
      state: 'replaced',
      calls: 3,
      lastSeenAt: isoInstant(NOON),
      replacement: '/spaces/{spaceuuid}/overview',
      deprecatedAt: isoInstant(DEPRECATED_SINCE),
      sunsetAt: null,
    },
  ])
})

test('the operator sees all partners and the replacement of each endpoint, in pages and as a whole', async (t) => {
  const { partners, get } = await seeded(t)
  const listRows = (
    { partnerUuid, name }: Partner,
    paths: [string, number, number][],
  ): Record<string, unknown>[] =>
    paths.map(([path, calls, failed]) => ({
      partnerUuid,
      partnerName: name,
      method: 'GET',
      path,
      state: path === LOGO ? 'retiring' : 'replaced',
      calls,
      failed,
      lastSeenAt: isoInstant(NOON),
      replacement: path === LOGO ? null : '/spaces/{spaceuuid}/overview',
    }))
  const expected = partners
    .toSorted((a, b) => (a.partnerUuid < b.partnerUuid ? -1 : 1))
    .flatMap((partner) =>
      listRows(
        partner,
        partner === partners[0]
          ? [[DETAILS, 3, 2]]
          : [
              [DETAILS, 1, 0],
              [LOGO, 1, 0],
            ],
      ),
    )
  assert.deepEqual((await get('/migration')).data, expected)
  const first = await get('/migration?limit=2')
  const second = await get(`/migration?limit=2&cursor=${first.pagination.nextCursor}`)
  assert.deepEqual([...first.data, ...second.data], expected)
  assert.equal(second.pagination.nextCursor, null)
})
