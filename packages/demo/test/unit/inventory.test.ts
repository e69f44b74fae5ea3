import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DeviceType, Inventory, SpaceType } from '@portico/wire/operator/inventory'
import { Value } from 'typebox/value'
import { DEMO_GATEWAY_UUID, DEMO_SITE_UUID } from '../../src/content/index.ts'
import { isMeasured, METRIC_NAMES, METRICS } from '@portico/server/domain/metric/catalogue'
import { main, listMetrics, other } from './sites.ts'

const sites = [main, other]

const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length

for (const site of sites) {
  describe(site.site.siteName, () => {
    test('is a valid inventory document', () => {
      assert.deepEqual([...Value.Errors(Inventory, site)].slice(0, 3), [])
    })

    test('refers only to its own buildings and spaces', () => {
      const buildings = new Set(site.buildings.map(({ buildingUuid }) => buildingUuid))
      const spaces = new Set(site.spaces.map(({ spaceUuid }) => spaceUuid))
      assert.ok(site.spaces.every(({ buildingUuid }) => buildings.has(buildingUuid)))
      assert.ok(site.devices.every(({ spaceUuid }) => spaces.has(spaceUuid)))
    })

    test('a flat is one kitchen and five or six bedrooms, on one floor of one building', () => {
      const flats = Map.groupBy(
        site.spaces.filter(({ clusterUuid }) => clusterUuid),
        ({ clusterUuid }) => clusterUuid,
      )
      assert.ok(flats.size > 0)
      for (const spaces of flats.values()) {
        const kinds = spaces.map(({ spaceType }) => spaceType).toSorted()
        assert.equal(kinds.at(-1), 'livingKitchenDining')
        assert.ok(kinds.slice(0, -1).every((kind) => kind === 'bedroom'))
        assert.ok(kinds.length === 6 || kinds.length === 7)
        for (const same of ['clusterName', 'buildingUuid', 'floorNumber'] as const) {
          assert.equal(new Set(spaces.map((space) => space[same])).size, 1, same)
        }
      }
      assert.equal(flats.size, new Set(site.spaces.map(({ clusterName }) => clusterName ?? '')).size - 1)
    })

    test('utilities are registers or intervals, and other metrics are gauges', () => {
      for (const { metricType, kind, registerSize } of site.devices.flatMap(listMetrics)) {
        const isUtility = metricType !== 'battery' && METRICS[metricType].group === 'utility'
        assert.equal(kind !== 'gauge', isUtility, metricType)
        assert.ok(registerSize === undefined || kind === 'register')
      }
    })
  })
}

test('no identifier is used twice, on either site', () => {
  assert.ok(
    isUnique([
      DEMO_GATEWAY_UUID,
      ...sites.map(({ site }) => site.siteUuid),
      ...sites.flatMap(({ buildings }) => buildings.map(({ buildingUuid }) => buildingUuid)),
      ...sites.flatMap(({ spaces }) => spaces.map(({ spaceUuid }) => spaceUuid)),
      ...sites
        .flatMap(({ spaces }) => [...new Set(spaces.map(({ clusterUuid }) => clusterUuid ?? ''))])
        .filter(Boolean),
      ...sites.flatMap(({ devices }) => devices.map(({ deviceUuid }) => deviceUuid)),
    ]),
  )
  assert.ok(isUnique(sites.flatMap(({ devices }) => devices.map(({ serialNumber }) => serialNumber))))
})

test('every record of version 1 has a unique identifier across both sites', () => {
  for (const ids of [
    sites.map(({ site }) => site.legacyId),
    sites.flatMap(({ buildings }) => buildings.map(({ legacyId }) => legacyId)),
    sites.flatMap(({ spaces }) => spaces.map(({ legacyId }) => legacyId)),
  ]) {
    assert.ok(ids.every((id) => id !== undefined))
    assert.ok(isUnique(ids))
  }
})

test('the main site has its published UUID and every kind of record', () => {
  assert.equal(main.site.siteUuid, DEMO_SITE_UUID)
  assert.equal(DEMO_SITE_UUID, '5f0c1d0e-6a57-4c1b-9b0e-2f6f3f1c7a10')
  assert.deepEqual([main.site.sandbox, other.site.sandbox], [true, false])
  const series = main.devices.flatMap(listMetrics).map(({ metricType }) => metricType)
  const sizes = { spaces: main.spaces.length, devices: main.devices.length, series: series.length }
  assert.deepEqual(sizes, { spaces: 83, devices: 230, series: 443 })
  assert.deepEqual(new Set(main.spaces.map(({ spaceType }) => spaceType)), new Set(SpaceType.enum))
  assert.deepEqual(new Set(main.devices.map(({ deviceType }) => deviceType)), new Set(DeviceType.enum))
  assert.deepEqual(
    new Set(series),
    new Set([...METRIC_NAMES.filter(isMeasured), 'battery']),
    'every metric is measured by a device of the demo: see packages/demo/src/content/inventory',
  )
})

test('a radio device of the main site is reached through its gateway; the other site has none', () => {
  const wireless = main.devices.filter(({ gatewayUuid }) => gatewayUuid)
  assert.ok(wireless.length > 100)
  assert.ok(wireless.every(({ gatewayUuid }) => gatewayUuid === DEMO_GATEWAY_UUID))
  assert.ok(main.devices.every(({ deviceType, gatewayUuid }) => deviceType !== 'trv' || gatewayUuid))
  assert.ok(other.devices.every(({ gatewayUuid }) => gatewayUuid === undefined))
})
